package scale

import (
	"context"
	"math/rand/v2"

	"github.com/skelgo/skelgo/devices"
)

// Resampling is how scales vary that are found for bootstrap samples.
type Resampling struct {
	Samples int `json:"samples"`
	// Optimism is the mean difference between the rates of errors of a scale among all objects and among
	// those that it was found for, and Corrected the rate of the scale for all objects plus it.
	Optimism  float64 `json:"optimism"`
	Corrected float64 `json:"corrected"`
	// Rate is the mean rate of errors among the objects that are not in a sample, with its quantiles of
	// 2.5% and 97.5%. Samples that have all objects do not count.
	Rate float64 `json:"rate"`
	Interval
	Weights []Interval `json:"weights"` // the same quantiles of the weights
	// Measures are those of the scale for all objects, less their optimism: the mean difference between the
	// measures of a sample's scale in the sample and among all objects. Their intervals are the quantiles
	// of the measures in the samples, less the optimism (Noma et al., Statistics in Medicine 40, 2021).
	Measures []GroupEstimate `json:"measures"`
}

// Bootstrap finds scales for samples of the objects, drawn with replacement. The model is the scale for
// all objects. The medians of missing values and, if Unordered is set, the order of the groups are those of
// each sample.
func Bootstrap(
	ctx context.Context, d *Data, o Options, samples int, m *Model, devs ...*devices.Device,
) (*Resampling, error) {
	if samples < 2 {
		return nil, inputErrorf("%d bootstrap samples; at least 2 are needed", samples)
	}
	var sets [][]int32
	for s := range samples {
		sets = append(sets, sample(d, rand.New(rand.NewPCG(o.Seed, 2<<32+uint64(s)))))
	}
	o.checkpoint = o.checkpoint.part("bootstrap")
	results, err := findEach(ctx, d, o, sets, devs)
	if err != nil {
		return nil, err
	}
	k := len(d.Groups)
	b, r := &Resampling{Samples: samples}, newResampled(k, m.outcome(d, nil))
	once := make([]int32, d.N())
	for i := range once {
		once[i] = 1
	}
	for s, result := range results {
		r.add(result.outcome(nil), sets[s], once)
	}
	if len(r.rates) == 0 {
		return nil, inputErrorf("no bootstrap sample leaves an object out; the groups need more objects")
	}
	b.Optimism = mean(r.optimism)
	b.Corrected = r.apparent.errors() + b.Optimism
	b.Rate, b.Interval = mean(r.rates), middleShare(r.rates)
	for j := range d.Features {
		var list []float64
		for _, r := range results {
			list = append(list, r.Model.Weights[j])
		}
		b.Weights = append(b.Weights, middleShare(list))
	}
	b.Measures = r.estimates(m.Groups)
	return b, nil
}

// resampled collects the measures of the scales of bootstrap samples.
type resampled struct {
	groups   int
	apparent *crossTable // of the scale for all objects
	optimism []float64   // of the rate of errors in each sample
	rates    []float64   // of errors outside samples
	// Measures of each group in each sample, among all objects, and outside the sample.
	in, all, out [][]rates
}

func newResampled(groups int, of *outcome) *resampled {
	r := &resampled{groups: groups, apparent: newCrossTable(groups)}
	r.apparent.add(of, nil)
	return r
}

// add adds the scale of a sample.
func (r *resampled) add(o *outcome, times, once []int32) {
	left, outside := 0, make([]int32, len(times))
	for i, n := range times {
		if n == 0 {
			outside[i] = 1
			left++
		}
	}
	in, all, out := newCrossTable(r.groups), newCrossTable(r.groups), newCrossTable(r.groups)
	in.add(o, times)
	all.add(o, once)
	out.add(o, outside)
	r.optimism = append(r.optimism, all.errors()-in.errors())
	if left > 0 {
		r.rates = append(r.rates, out.errors())
	}
	r.in, r.all, r.out = append(r.in, in.rates()), append(r.all, all.rates()), append(r.out, out.rates())
}

// estimates returns the corrected measures of the groups.
func (r *resampled) estimates(names []string) []GroupEstimate {
	apparent := r.apparent.rates()
	return estimates(names, func(g, measure int) *Estimate {
		var in, optimism, out []float64
		for s := range r.in {
			a, b, c := r.in[s][g][measure], r.all[s][g][measure], r.out[s][g][measure]
			if defined(a) && defined(b) {
				in, optimism = append(in, a), append(optimism, a-b)
			}
			if defined(c) {
				out = append(out, c)
			}
		}
		if len(in) < 2 || !defined(apparent[g][measure]) {
			return nil
		}
		less := mean(optimism)
		e := &Estimate{Value: clamp(apparent[g][measure] - less)}
		q := middleShare(in)
		e.Low, e.High = clamp(q.Low-less), clamp(q.High-less)
		if len(out) > 0 {
			v := mean(out)
			e.Outside = &v
		}
		return e
	})
}

// sample returns how often each object is in a sample of each group, drawn with replacement.
func sample(d *Data, r *rand.Rand) []int32 {
	times := make([]int32, d.N())
	for g := range d.Groups {
		var list []int
		for i, t := range d.Group {
			if t == g {
				list = append(list, i)
			}
		}
		for range list {
			times[list[r.IntN(len(list))]]++
		}
	}
	return times
}
