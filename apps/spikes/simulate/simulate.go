package simulate

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/skelgo/skelgo/apps/spikes/recording"
	"github.com/skelgo/skelgo/rng"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

// Options are the options of New. The zero value of a field means its default.
type Options struct {
	Spikes   int       // the number of spikes
	Units    int       // the number of units; default 3
	Shares   []float64 // of the spikes, for each unit; equal by default
	Samples  int       // of a waveform, on each channel; default 64
	Channels int       // default 1
	Seed     uint64

	Jitter float64 // multiplies the standard deviations of all parameters; 0 means none
	Noise  float64 // standard deviation of the noise of each sample; peaks are about 1
	Common float64 // standard deviation of the noise that all channels have in common
	Spread float64 // distance, in channels, over which a spike loses half its amplitude; default 1

	Rate       float64 // samples per second; default 30000
	Firing     float64 // spikes per second of a unit, on average; default 10
	Refractory float64 // least time between two spikes of a unit, in seconds; default 0.003

	Overlaps float64 // share of waveforms to which a spike of another unit is added
	Fading   float64 // share of the amplitude that is lost until the end
	Moving   float64 // channels by which all units move until the end

	// Spectrum is the relative power of the noise of a recording at a frequency in Hz; nil means
	// white noise.
	Spectrum func(frequency float64) float64
}

// Spikes are spikes at random times, in order of time.
type Spikes struct {
	Options
	All      []Unit
	Sizes    []int // of the units
	Duration int   // of the recording, in samples

	where  vector.Distribution
	times  *vector.Vector[int]
	labels *vector.Vector[int32]
	forms  *vector.Vector[spike]
}

// Times of more samples, and more units, do not fit into a number that is sorted.
const (
	unitBits    = 15
	timeBits    = 63 - unitBits
	maxUnits    = 1 << unitBits
	maxDuration = 1 << timeBits
)

// New places spikes in time, on the devices of the optional distribution. The intervals
// between the spikes of a unit are the refractory period and an exponentially distributed
// time. It is an error if the options contradict each other.
func New(o Options, where ...vector.Distribution) (*Spikes, error) {
	s := &Spikes{Options: o.withDefaults()}
	if len(where) > 0 {
		s.where = where[0]
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	s.All = Units(s.Units, s.Channels, s.Seed)
	var err error
	if s.Sizes, err = Sizes(s.Spikes, s.Units, s.Shares); err != nil {
		return nil, err
	}
	s.Duration = s.duration()
	dead := s.dead()
	for u, n := range s.Sizes {
		if s.Duration-n*dead < 1 {
			return nil, fmt.Errorf("unit %d: %d spikes do not fit into the recording: decrease the firing rate "+
				"or the refractory period", u, n)
		}
	}
	if s.Duration >= maxDuration {
		return nil, fmt.Errorf("%d spikes are too many", s.Spikes)
	}
	if err := s.place(dead); err != nil {
		s.Free()
		return nil, err
	}
	if err := s.draw(); err != nil {
		s.Free()
		return nil, err
	}
	return s, nil
}

func (o Options) withDefaults() Options {
	set := func(x *float64, to float64) {
		if *x == 0 {
			*x = to
		}
	}
	if o.Units == 0 {
		o.Units = shapes
	}
	if o.Samples == 0 {
		o.Samples = 64
	}
	if o.Channels == 0 {
		o.Channels = 1
	}
	set(&o.Spread, 1)
	set(&o.Rate, 30000)
	set(&o.Firing, 10)
	set(&o.Refractory, 0.003)
	return o
}

func (s *Spikes) check() error {
	for _, x := range []struct {
		name  string
		value float64
	}{
		{"jitter", s.Jitter}, {"noise", s.Noise}, {"common noise", s.Common}, {"spread", s.Spread},
		{"refractory period", s.Refractory}, {"overlaps", s.Overlaps}, {"fading", s.Fading},
	} {
		if !(x.value >= 0) || math.IsInf(x.value, 0) {
			return fmt.Errorf("%s %v: it cannot be negative, infinite or NaN", x.name, x.value)
		}
	}
	switch {
	case s.Spikes < 1 || s.Spikes > math.MaxInt32:
		return fmt.Errorf("%d spikes: there must be 1 to %d", s.Spikes, math.MaxInt32)
	case s.Units < 1 || s.Units > maxUnits:
		return fmt.Errorf("%d units: there must be 1 to %d", s.Units, maxUnits)
	case s.Samples < 2 || s.Channels < 1:
		return fmt.Errorf("%d samples on %d channels: there must be at least 2 samples and 1 channel",
			s.Samples, s.Channels)
	case s.Jitter > 2:
		return fmt.Errorf("jitter %v: widths could become negative; it must be at most 2", s.Jitter)
	case s.Overlaps > 1 || s.Fading > 1:
		return fmt.Errorf("overlaps %v, fading %v: these are shares, at most 1", s.Overlaps, s.Fading)
	case s.Overlaps > 0 && s.Units < 2:
		return errors.New("overlaps need at least 2 units")
	case !(s.Rate > 0) || !(s.Firing > 0) || math.IsInf(s.Rate, 0) || math.IsInf(s.Firing, 0):
		return fmt.Errorf("rate %v, firing rate %v: they must be positive", s.Rate, s.Firing)
	case math.IsInf(s.Moving, 0) || math.IsNaN(s.Moving):
		return fmt.Errorf("moving %v: it must be finite", s.Moving)
	}
	return nil
}

// Sizes divides n spikes among units in proportion to their shares, which are equal if shares
// is nil. It returns an error if there are not as many positive shares as units.
func Sizes(n, units int, shares []float64) ([]int, error) {
	if shares == nil {
		shares = slices.Repeat([]float64{1}, units)
	}
	switch {
	case len(shares) != units:
		return nil, fmt.Errorf("%d shares for %d units: there must be one for each", len(shares), units)
	case slices.ContainsFunc(shares, func(x float64) bool { return !(x > 0) || math.IsInf(x, 0) }):
		return nil, errors.New("shares must be positive")
	}
	total, sum, before := 0.0, 0.0, 0
	for _, x := range shares {
		total += x
	}
	sizes := make([]int, units)
	for u, x := range shares {
		sum += x
		end := int(math.Round(sum / total * float64(n)))
		sizes[u], before = end-before, end
	}
	sizes[units-1] += n - before
	return sizes, nil
}

// dead returns the refractory period in samples.
func (s *Spikes) dead() int { return int(math.Ceil(s.Refractory * s.Rate)) }

// duration returns the length of the recording in samples. Windows of all spikes fit into it.
func (s *Spikes) duration() int {
	mean := float64(s.Spikes) / float64(s.Units)
	return int(math.Min(math.Ceil(mean/s.Firing*s.Rate), maxDuration))
}

// placement has what times are drawn from. The spikes of unit u are First[u] to First[u+1]-1.
type placement struct {
	Seed     uint64
	Duration int
	Dead     int
	First    vector.View[int]
}

// key returns a random time for spike i, with the unit in front. The time lies in the
// recording without the refractory periods of the unit.
func key(i int, p placement) int {
	u := 0
	for p.First.At(u+1) <= i {
		u++
	}
	n := p.First.At(u+1) - p.First.At(u)
	return u<<timeBits | rng.IntN(p.Seed, timeStream, i, p.Duration-n*p.Dead)
}

// placed inserts the refractory periods before a spike of a unit, and puts the time in front.
func placed(i, key int, p placement) int {
	u := key >> timeBits
	return (key&(maxDuration-1)+(i-p.First.At(u))*p.Dead)<<unitBits | u
}

func timePart(key int) int   { return key >> unitBits }
func unitPart(key int) int32 { return int32(key & (maxUnits - 1)) }

var (
	keys      = skel.NewMapWith(key)
	places    = skel.NewZipWith(placed)
	timeParts = skel.NewMap(timePart)
	unitParts = skel.NewMap(unitPart)
	ascending = skel.Ascending[int]()
)

// place draws the times of the spikes: n uniform times in order, between which refractory
// periods are inserted, are a Poisson process with dead time of which n spikes are given.
func (s *Spikes) place(dead int) error {
	first := make([]int, s.Units+1)
	for u, n := range s.Sizes {
		first[u+1] = first[u] + n
	}
	firsts := vector.From(first, recording.Everywhere(s.where))
	defer firsts.Free()
	p := placement{Seed: s.Seed, Duration: s.Duration, Dead: dead, First: firsts.View()}
	byUnit := ascending.Apply(keys.With(p).Apply(vector.Indices(s.Spikes, s.where)))
	defer byUnit.Free()
	byTime := ascending.Apply(places.With(p).Apply(vector.Indices(s.Spikes, s.where), byUnit))
	defer byTime.Free()
	s.times, s.labels = timeParts.Apply(byTime), unitParts.Apply(byTime)
	return errors.Join(s.times.Wait(), s.labels.Wait())
}

// Times returns the sample of the recording in which each spike has its peak, in increasing
// order.
func (s *Spikes) Times() ([]int, error) { return s.times.Host() }

// Labels returns the unit of each spike.
func (s *Spikes) Labels() ([]int32, error) { return s.labels.Host() }

// Free releases the memory of the spikes.
func (s *Spikes) Free() {
	if s.times != nil {
		s.times.Free()
		s.labels.Free()
	}
	if s.forms != nil {
		s.forms.Free()
	}
}
