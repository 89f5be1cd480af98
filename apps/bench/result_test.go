package bench

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
)

func TestTable(t *testing.T) {
	allocs := 2.0
	results := []*benchmark.Result{
		{Name: "Scan/n=16", Bytes: 1e9, Floor: 0.001, Time: benchmark.Times{0.002, 0.002, 0.0022},
			Comparisons: []benchmark.Comparison{
				{Yardstick: "cub", Time: benchmark.Times{0.0019}, Ratio: 0.95, Goal: 1},
				{Yardstick: "copy", Time: benchmark.Times{0.001}, Ratio: 0.5, Goal: 0}}},
		{Name: "Call/n=1", Time: benchmark.Times{4e-6}, MaxTime: 5e-6, Allocs: &allocs, MaxAllocs: 2,
			Note: "as told"},
		{Name: "Map/n=16", Skipped: "no room"},
	}
	const want = `
row        floor    skelgo    quartiles  GB/s  yardstick  its time    quartiles     ratio            goal
──────────────────────────────────────────────────────────────────────────────────────────────────────────────────
Scan/n=16   1 ms      2 ms  +0.0% +5.0%   500  cub          1.9 ms  +0.0% +0.0%     0.950               1  SHORT
                                               copy           1 ms  +0.0% +0.0%     0.500
Call/n=1              4 µs  +0.0% +0.0%                                          2 allocs  5 µs, 2 allocs  ok
Map/n=16          left out

Times are per call: medians of the rounds, with quartiles. The ratio is skelgo's speed
divided by that of the yardstick. copy is the time in which the device copy moves the
row's bytes, which is the floor.
Call/n=1: as told
1 of 2 goals are met.
`
	if got := "\n" + tableOf(results); got != want {
		t.Error(cmp.Diff(want, got))
	}
}

func TestBenchmarkFormat(t *testing.T) {
	r := &benchmark.Row{Name: "Map/type=float32/n=16", Bytes: 128}
	var b strings.Builder
	benchmarks(&b, r, &benchmark.Result{Time: benchmark.Times{1e-6, 2e-6},
		Comparisons: []benchmark.Comparison{{Yardstick: "copy", Time: benchmark.Times{5e-7}}}}, "cuda:0")
	const want = "BenchmarkMap/device=cuda:0/type=float32/n=16/impl=skelgo\t1\t1000 ns/op\t128 MB/s\n" +
		"BenchmarkMap/device=cuda:0/type=float32/n=16/impl=skelgo\t1\t2000 ns/op\t64 MB/s\n" +
		"BenchmarkMap/device=cuda:0/type=float32/n=16/impl=copy\t1\t500 ns/op\t256 MB/s\n"
	if b.String() != want {
		t.Errorf("%s", b.String())
	}
}

func TestTaskOf(t *testing.T) {
	for row, want := range map[string]string{
		"Map/type=float32/n=16":                              "Map",
		"Map/type=int32/n=16":                                "",
		"Scan/op=sum/form=inclusive/type=float32/n=1048576":  "Scan",
		"Scan/op=sum/form=exclusive/type=float32/n=16":       "",
		"Reduce/op=max/type=float32/n=16":                    "",
		"Reduce/op=compose/type=2xfloat32/n=16":              "",
		"ReduceRows/op=sum/type=float32/segments=1/length=2": "",
	} {
		if got := taskOf(row); got != want {
			t.Errorf("%s: %q, want %q", row, got, want)
		}
	}
}

// TestReference checks that the references notice one wrong element.
func TestReference(t *testing.T) {
	s := testSuite(t)
	for _, n := range []int{1, 4096, 100_000, 1<<20 + 4097} {
		x, err := float32s.random.Fill(s, n, 0)
		if err != nil {
			t.Fatal(err)
		}
		sums := float32s.sums.Inclusive(x)
		check := func() error { return checkScan(sums, false, addition, benchmark.Ticks, float32s.sameSum) }
		if err := check(); err != nil {
			t.Errorf("n=%d: %v", n, err)
		}
		last, err := sums.At(n - 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := sums.Set(n-1, last+0.5); err != nil {
			t.Fatal(err)
		}
		if check() == nil {
			t.Errorf("n=%d: a wrong last element was not seen", n)
		}
		if want := addition.total(n, benchmark.Ticks); !float32s.sameSum(last, want, n) ||
			float32s.sameSum(last+0.5, want, n) {
			t.Errorf("n=%d: the sum is %v, and %v units", n, last, want)
		}
	}
}
