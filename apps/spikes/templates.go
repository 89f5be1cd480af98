package spikes

import (
	"math"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func deviation(x float32, mean float64) float64 { return float64(x) - mean }

func squaredDeviation(x float32, mean float64) float64 {
	d := float64(x) - mean
	return d * d
}

func multiplyAdd(sum float64, x float32, y float64) float64 { return math.FMA(float64(x), y, sum) }

// projected has the products of waveforms and templates, and the squares of the templates.
type projected struct {
	Dots    matrix.View[float64]
	Labels  vector.View[int32]
	Squares vector.View[float64]
}

// amplitude returns the factor by which the template of its unit fits waveform i best.
func amplitude(i int, p projected) float64 {
	j := int(p.Labels.At(i))
	if s := p.Squares.At(j); s > 0 {
		return p.Dots.At(i, j) / s
	}
	return 0
}

func minusNarrow(a, b float64) float32 { return float32(a - b) }

// misplaced has posteriors and labels.
type misplaced struct {
	Z      matrix.View[float64]
	Labels vector.View[int32]
}

// doubt returns the probability that spike i belongs to another unit.
func doubt(i int, m misplaced) float64 { return 1 - m.Z.At(i, int(m.Labels.At(i))) }

var (
	deviations        = skel.NewZip(deviation)
	squaredDeviations = skel.NewZip(squaredDeviation)
	products          = skel.NewAllPairsFold(multiplyAdd, 0)
	amplitudes        = skel.NewMapWith(amplitude)
	differences       = skel.NewZip(minusNarrow)
	doubts            = skel.NewMapWith(doubt)
)

// describe computes the templates of units, the amplitudes of spikes and the features.
func (r *Result) describe() error {
	n, g := r.Waveforms.Rows(), r.Model.Components()
	where := r.Labels.Distribution() // that of scores, which waveforms on pages do not have
	home := vector.Single(r.Waveforms.Device())
	r.Units = make([]Unit, g)
	counts := skel.CountByKey(r.Labels, g)
	defer counts.Free()
	sizes, err := counts.Host()
	if err != nil {
		return err
	}
	for j := range r.Units {
		r.Units[j].Size, r.Units[j].Weight, r.Units[j].DF = sizes[j], r.Model.Weights[j], r.Model.DF[j]
	}
	if err := r.templates(home); err != nil {
		return err
	}
	elements, squares := make([]float64, 0, g*r.Waveforms.Cols()), make([]float64, g)
	for j, u := range r.Units {
		elements = append(elements, u.Template...)
		for _, v := range u.Template {
			squares[j] += v * v
		}
	}
	templates := matrix.From(g, r.Waveforms.Cols(), elements, home)
	defer templates.Free()
	far := products.Apply(r.Waveforms, templates)
	defer far.Free()
	dots := far.To(where)
	if dots != far {
		defer dots.Free()
	}
	s := vector.From(squares, home)
	defer s.Free()
	r.Amplitudes = amplitudes.With(projected{dots.View(), r.Labels.View(), s.View()}).Apply(vector.Indices(n, where))
	if err := r.Amplitudes.Wait(); err != nil {
		return err
	}
	r.features(home)
	if err := r.Features.Wait(); err != nil {
		return err
	}
	return r.doubts(where)
}

// templates computes the means and deviations of the waveforms of each unit. The means of all
// waveforms are subtracted first, so that no digits are lost.
func (r *Result) templates(home vector.Distribution) error {
	n, g := r.Waveforms.Rows(), len(r.Units)
	mean := vector.From(r.Components.Mean, home)
	defer mean.Free()
	d := deviations.ApplyMatrix(r.Waveforms, matrix.RepeatRow(mean, n))
	defer d.Free()
	sums := add.RowsByKey(d, r.Labels, g)
	defer sums.Free()
	s := squaredDeviations.ApplyMatrix(r.Waveforms, matrix.RepeatRow(mean, n))
	defer s.Free()
	squares := add.RowsByKey(s, r.Labels, g)
	defer squares.Free()
	first, err := sums.Host()
	if err != nil {
		return err
	}
	second, err := squares.Host()
	if err != nil {
		return err
	}
	cols := r.Waveforms.Cols()
	for j := range r.Units {
		u := &r.Units[j]
		u.Template, u.Deviation = make([]float64, cols), make([]float64, cols)
		for c := range cols {
			if size := float64(u.Size); size > 0 {
				mean := first[j*cols+c] / size
				u.Template[c] = mean + r.Components.Mean[c]
				u.Deviation[c] = math.Sqrt(max(0, second[j*cols+c]/size-mean*mean))
			}
		}
		u.setPeak(r.Channels)
	}
	return nil
}

// setPeak finds the channel on which the template is largest.
func (u *Unit) setPeak(channels int) {
	noise := 0.0
	for c := range channels {
		low, high, deviation := math.Inf(1), math.Inf(-1), 0.0
		for at := c; at < len(u.Template); at += channels {
			low, high = min(low, u.Template[at]), max(high, u.Template[at])
			deviation += u.Deviation[at] / float64(len(u.Template)/channels)
		}
		if c == 0 || high-low > u.Amplitude {
			u.Channel, u.Amplitude, noise = c, high-low, deviation
		}
	}
	u.SNR = ratio(u.Amplitude, 2*noise)
}

// channelComponents is the number of components of each channel that Features has, if there
// are several channels. Phy shows three of them.
const channelComponents = 3

// FeatureComponents returns the number of components of a channel in Features.
func (r *Result) FeatureComponents() int {
	if r.Channels == 1 {
		return r.Components.Components()
	}
	return min(channelComponents, r.Components.Components())
}

// features sets Features. The part of a channel of a score is its product with the loadings
// of that channel, so the parts of all channels add up to the score.
func (r *Result) features(home vector.Distribution) {
	k, cols := r.FeatureComponents(), r.Waveforms.Cols()
	loadings, constants := make([]float64, k*r.Channels*cols), make([]float64, k*r.Channels)
	for row := range constants {
		component, channel := row/r.Channels, row%r.Channels
		for at := channel; at < cols; at += r.Channels {
			v := r.Components.Loadings[component][at]
			loadings[row*cols+at] = v
			constants[row] += v * r.Components.Mean[at]
		}
	}
	w, b := matrix.From(len(constants), cols, loadings, home), vector.From(constants, home)
	defer w.Free()
	defer b.Free()
	dots := products.Apply(r.Waveforms, w)
	defer dots.Free()
	r.Features = differences.ApplyMatrix(dots, matrix.RepeatRow(b, r.Waveforms.Rows()))
}

// doubts sets the numbers of spikes that are expected to be in a wrong unit. With z, the
// posteriors, a unit's spikes have the sum of 1-z wrong ones, and all others the sum of z
// missing ones.
func (r *Result) doubts(where vector.Distribution) error {
	each := doubts.With(misplaced{r.Posteriors.View(), r.Labels.View()}).
		Apply(vector.Indices(r.Waveforms.Rows(), where))
	defer each.Free()
	wrong := add.ByKey(each, r.Labels, len(r.Units))
	defer wrong.Free()
	expected := add.Cols(r.Posteriors)
	defer expected.Free()
	w, err := wrong.Host()
	if err != nil {
		return err
	}
	e, err := expected.Host()
	if err != nil {
		return err
	}
	for j := range r.Units {
		u := &r.Units[j]
		size := float64(u.Size)
		u.FalsePositives = ratio(w[j], size)
		u.FalseNegatives = ratio(max(0, e[j]-(size-w[j])), size)
	}
	return nil
}
