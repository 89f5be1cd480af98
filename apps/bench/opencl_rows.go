package bench

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
)

// openCLRows returns rows that run skeletons through OpenCL on the same GPU, with CUDA as
// the yardstick.
func openCLRows(s *benchmark.Suite, rows []*benchmark.Row) (all []*benchmark.Row) {
	n := fmt.Sprintf("/n=%d", s.Size(1<<28))
	for _, r := range rows {
		if task := taskOf(r.Name); task == "" || !strings.HasSuffix(r.Name, n) {
			continue
		}
		all = append(all, &benchmark.Row{
			Name: "OpenCL" + r.Name, Ops: r.Ops, Memory: 2 * r.Memory,
			Goals: []benchmark.Goal{{Yardstick: "cuda", Ratio: 0.9}},
			Open:  func(s *benchmark.Suite) (*benchmark.Case, error) { return openThroughOpenCL(s, r) },
		})
	}
	return all
}

func openThroughOpenCL(s *benchmark.Suite, r *benchmark.Row) (_ *benchmark.Case, err error) {
	if s.OpenCL == nil {
		return nil, benchmark.Skipped(fmt.Sprintf("%s is not available through both CUDA and OpenCL", s.Device))
	}
	b := new(benchmark.Case)
	defer func() {
		if err != nil {
			err = errors.Join(err, b.End())
		}
	}()
	other := *s
	other.Device = s.OpenCL
	open := func(s *benchmark.Suite) (*benchmark.Case, func() (time.Duration, error), error) {
		one, err := r.Open(s)
		if err != nil {
			return nil, nil, err
		}
		b.Close = append(b.Close, one.End)
		sample, err := benchmark.Sampler(s.Device, one.Call, s.Batch())
		return one, sample, err
	}
	ours, sample, err := open(&other)
	if err != nil {
		return nil, err
	}
	_, cuda, err := open(s)
	if err != nil {
		return nil, err
	}
	b.Check, b.Sample, b.Yardsticks = ours.Check, sample, []benchmark.Yardstick{{Name: "cuda", Sample: cuda}}
	return b, nil
}
