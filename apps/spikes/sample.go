package spikes

import (
	"math/rand/v2"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
)

// sampled returns the scores of at most limit spikes: one at random of each of limit stretches of
// equal length, so that all times are represented. The other result reports whether that is a copy.
// It is made on the host, because the scores may be larger than the memory of a device.
func (r *Result) sampled(limit int, seed uint64) (_ *matrix.Matrix[float64], copied bool, err error) {
	n, p := r.Scores.Rows(), r.Scores.Cols()
	if limit <= 0 || n <= limit {
		return r.Scores, false, nil
	}
	random := rand.New(rand.NewPCG(seed, 0))
	at := make([]int, limit)
	for k := range at {
		low, high := k*n/limit, (k+1)*n/limit
		at[k] = low + random.IntN(high-low)
	}
	const rows = 1 << 16 // of a chunk
	picked, first := make([]float64, 0, limit*p), 0
	for chunk, err := range r.Scores.Vector().Chunks(rows * p) {
		if err != nil {
			return nil, false, err
		}
		end := first + len(chunk)/p
		for ; len(at) > 0 && at[0] < end; at = at[1:] {
			i := at[0] - first
			picked = append(picked, chunk[i*p:(i+1)*p]...)
		}
		first = end
	}
	where := app.Distribute(app.Bases(r.Scores.Vector().Distribution()), int64(len(devices.Bytes(picked))))
	return matrix.From(limit, p, picked, where), true, nil
}
