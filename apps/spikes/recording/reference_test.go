package recording_test

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/skelgo/skelgo/apps/spikes/recording"
)

// plain finds spikes as Detect does, by loops in float64 over the recording in memory. All
// options must be set. It keeps the signal of some rows before and after the recording.
type plain struct {
	recording.Options
	rows, cols int
	signal     [][]float64 // of each channel; element i is for row i - margin
	margin     int
	levels     []float64
	whitening  *mat.Dense
}

func newPlain(x []int16, cols int, o recording.Options) *plain {
	p := &plain{Options: o, rows: len(x) / cols, cols: cols, margin: int(math.Ceil(o.Refractory*o.Rate)) + o.Samples}
	for c := range cols {
		channel := make([]float64, 0, p.rows+2*p.margin)
		for t := -p.margin; t < p.rows+p.margin; t++ {
			sum := 0.0
			for k, h := range plainTaps(o) {
				row := min(max(t+k-o.Radius, 0), p.rows-1)
				sum += h * float64(x[row*cols+c])
			}
			channel = append(channel, sum)
		}
		p.signal = append(p.signal, channel)
	}
	if o.Reference && cols > 1 {
		p.reference()
	}
	if o.Whiten && cols > 1 {
		p.whiten()
	}
	p.levels = p.noise()
	return p
}

// plainTaps is the band-pass filter: the difference of two ideal low-pass filters.
func plainTaps(o recording.Options) (taps []float64) {
	sinc := func(x float64) float64 {
		if x == 0 {
			return 1
		}
		return math.Sin(math.Pi*x) / (math.Pi * x)
	}
	var hamming []float64
	sum, all := 0.0, 0.0
	for k := -o.Radius; k <= o.Radius; k++ {
		w := 0.54 - 0.46*math.Cos(2*math.Pi*float64(k+o.Radius)/float64(2*o.Radius))
		hi, lo := 2*o.High/o.Rate, 2*o.Low/o.Rate
		taps = append(taps, w*(hi*sinc(hi*float64(k))-lo*sinc(lo*float64(k))))
		hamming = append(hamming, w)
		sum, all = sum+taps[len(taps)-1], all+w
	}
	for i := range taps {
		taps[i] -= hamming[i] * sum / all
	}
	return taps
}

// middleOf returns the median.
func middleOf(x []float64) float64 {
	x = slices.Clone(x)
	slices.Sort(x)
	n := len(x)
	return (x[(n-1)/2] + x[n/2]) / 2
}

func (p *plain) reference() {
	for i := range p.signal[0] {
		var row []float64
		for _, s := range p.signal {
			row = append(row, s[i])
		}
		m := middleOf(row)
		for _, s := range p.signal {
			s[i] -= m
		}
	}
}

// inside returns the rows of a channel that are in the recording.
func (p *plain) inside(c int) []float64 { return p.signal[c][p.margin : p.margin+p.rows] }

func (p *plain) noise() (levels []float64) {
	for c := range p.cols {
		var sizes []float64
		for _, x := range p.inside(c) {
			sizes = append(sizes, math.Abs(x))
		}
		levels = append(levels, middleOf(sizes)/0.6745)
	}
	return levels
}

func (p *plain) whiten() {
	levels, n := p.noise(), 0.0
	covariance := mat.NewDense(p.cols, p.cols, nil)
	for t := range p.rows {
		quiet := true
		for c := range p.cols {
			quiet = quiet && math.Abs(p.inside(c)[t]) < 4*levels[c]
		}
		if !quiet {
			continue
		}
		n++
		for a := range p.cols {
			for b := range p.cols {
				covariance.Set(a, b, covariance.At(a, b)+p.inside(a)[t]*p.inside(b)[t])
			}
		}
	}
	covariance.Scale(1/n, covariance)
	p.whitening = rootOfInverse(covariance)
	for i := range p.signal[0] {
		var row, product mat.VecDense
		row.ReuseAsVec(p.cols)
		for c := range p.cols {
			row.SetVec(c, p.signal[c][i])
		}
		product.MulVec(p.whitening, &row)
		for c := range p.cols {
			p.signal[c][i] = product.AtVec(c)
		}
	}
}

// rootOfInverse computes the inverse root of a matrix by the iteration of Denman and Beavers.
func rootOfInverse(c *mat.Dense) *mat.Dense {
	n, _ := c.Dims()
	scale := mat.Trace(c) / float64(n)
	y, z := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	y.Scale(1/scale, c)
	for i := range n {
		z.Set(i, i, 1)
	}
	for range 60 {
		var inverseY, inverseZ mat.Dense
		if inverseY.Inverse(y) != nil || inverseZ.Inverse(z) != nil {
			panic("the matrix is singular")
		}
		y.Add(y, &inverseZ)
		z.Add(z, &inverseY)
		y.Scale(0.5, y)
		z.Scale(0.5, z)
	}
	z.Scale(1/math.Sqrt(scale), z)
	return z
}

// score returns the magnitude of an element over the noise, if it has the right sign.
func (p *plain) score(t, c int) float64 {
	x := p.signal[c][t+p.margin] / p.levels[c]
	if p.Sign == recording.Negative {
		x = -x
	}
	if p.Sign == recording.Both {
		x = math.Abs(x)
	}
	return max(x, 0)
}

// detect returns the spikes.
func (p *plain) detect() *recording.Spikes {
	s := &recording.Spikes{Samples: p.Samples, Before: p.Before, Levels: p.levels}
	if p.whitening != nil {
		s.Whitening = p.whitening.RawMatrix().Data
	}
	dead := int(math.Ceil(p.Refractory * p.Rate))
	for t := p.Before; t <= p.rows-(p.Samples-p.Before); t++ {
	channels:
		for c := range p.cols {
			x := p.score(t, c)
			if x < p.Threshold {
				continue
			}
			for dt := -dead; dt <= dead; dt++ {
				for other := max(0, c-p.Neighbours); other <= min(p.cols-1, c+p.Neighbours); other++ {
					y := p.score(t+dt, other)
					if y > x || y == x && (dt < 0 || dt == 0 && other < c) {
						continue channels
					}
				}
			}
			s.Times, s.Channels = append(s.Times, int64(t)), append(s.Channels, int32(c))
			s.Heights = append(s.Heights, p.signal[c][t+p.margin]/p.levels[c])
			for k := range p.Samples {
				for other := range p.cols {
					s.Waveforms = append(s.Waveforms, float32(p.at(other, float64(t-p.Before+k)+p.shift(t, c))))
				}
			}
		}
	}
	return s
}

// shift returns by how much the peak at an element is later than its sample: the maximum of the
// parabola through the products of three samples, as vectors of channels, with that of the peak.
func (p *plain) shift(t, c int) float64 {
	if p.WholeSamples {
		return 0
	}
	var y [3]float64
	for other := range p.cols {
		if other < c-p.Neighbours || other > c+p.Neighbours {
			continue
		}
		for k := range y {
			y[k] += p.signal[other][t+p.margin] * p.signal[other][t+p.margin+k-1]
		}
	}
	slope, bend := (y[2]-y[0])/2, y[2]-2*y[1]+y[0]
	if bend >= 0 {
		return 0
	}
	return min(max(-slope/bend, -0.5), 0.5)
}

// at returns the signal between rows: Lagrange's polynomial through six samples.
func (p *plain) at(c int, t float64) (sum float64) {
	first := int(math.Floor(t)) - 2
	for i := range 6 {
		term := p.signal[c][first+i+p.margin]
		for j := range 6 {
			if j != i {
				term *= (t - float64(first+j)) / float64(i-j)
			}
		}
		sum += term
	}
	return sum
}
