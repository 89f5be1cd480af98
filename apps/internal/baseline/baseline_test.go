package baseline

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestMeasure(t *testing.T) {
	var calls []string
	step := func(name string, d time.Duration) func() error {
		return func() error { calls = append(calls, name); time.Sleep(d); return nil }
	}
	p := Program{
		Open: step("open", 5*time.Millisecond), Upload: step("upload", 1), Run: step("run", 10*time.Millisecond),
		Close:    step("close", 0),
		HostTime: func() time.Duration { return 4 * time.Millisecond },
	}
	got, err := Measure(t.Context(), p, 2, func(string) {})
	if diff := cmp.Diff([]string{"open", "upload", "run", "run", "run", "close"}, calls); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	if got.Init < 5*time.Millisecond || got.Host != 4*time.Millisecond || got.Kernel < 6*time.Millisecond {
		t.Errorf("times %+v", got)
	}

	broken := errors.New("broken")
	calls = nil
	p.Version, p.Upload = "raw", func() error { return broken }
	if _, err := Measure(t.Context(), p, 2, func(string) {}); !errors.Is(err, broken) ||
		err.Error() != "raw: upload: broken" {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff([]string{"open", "close"}, calls); diff != "" {
		t.Error(diff)
	}
	calls = nil
	p.Open = func() error { return broken }
	if _, err := Measure(t.Context(), p, 2, func(string) {}); !errors.Is(err, broken) || len(calls) > 0 {
		t.Errorf("error %v, then %v", err, calls)
	}
}

func TestResults(t *testing.T) {
	c := Results[int32]{Last: []int32{1, 2}}
	if err := c.Agree(); err != nil {
		t.Error(err)
	}
	c.Last = []int32{1, 3}
	if err := c.Agree(); err == nil || err.Error() != "element 1 is 3, and skelgo's is 2" {
		t.Errorf("error %v", err)
	}
}
