package bench

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// crossings are the rows of the same skeletons on the same card through
// OpenCL, with CUDA as the yardstick.
func crossings(s *session, rows []*Row) (all []*Row) {
	n := fmt.Sprintf("/n=%d", s.size(1<<28))
	for _, r := range rows {
		if task := taskOf(r.Name); task == "" || !strings.HasSuffix(r.Name, n) {
			continue
		}
		all = append(all, &Row{
			Name: "OpenCL" + r.Name, Ops: r.Ops, Memory: 2 * r.Memory,
			Goals: []Goal{{"cuda", 0.9}},
			open:  func(s *session) (*bout, error) { return openCrossing(s, r) },
		})
	}
	return all
}

func openCrossing(s *session, r *Row) (_ *bout, err error) {
	if s.opencl == nil {
		return nil, skipped(fmt.Sprintf("%s is no CUDA device that is there for OpenCL, too", s.device))
	}
	b := new(bout)
	defer func() {
		if err != nil {
			err = errors.Join(err, b.end())
		}
	}()
	other := *s
	other.device = s.opencl
	open := func(s *session) (*bout, func() (time.Duration, error), error) {
		one, err := r.open(s)
		if err != nil {
			return nil, nil, err
		}
		b.close = append(b.close, one.end)
		sample, err := steady(s.device, one.call, s.batch())
		return one, sample, err
	}
	ours, sample, err := open(&other)
	if err != nil {
		return nil, err
	}
	_, rivals, err := open(s)
	if err != nil {
		return nil, err
	}
	b.check, b.sample, b.rivals = ours.check, sample, []rival{{"cuda", rivals}}
	return b, nil
}
