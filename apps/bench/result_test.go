package bench

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParseMeasured(t *testing.T) {
	m, err := parseMeasured("scan-sum-inclusive\tfloat64\t1073741824\t2750.25\t2740\t2760.5\r")
	want := measured{"scan-sum-inclusive", "float64", 1 << 30, 2750250, 2740000, 2760500}
	if err != nil || m != want {
		t.Errorf("%+v %v", m, err)
	}
	for _, bad := range []string{"", "error", "a\tb\tc", "a\tb\tc\t1\t1\t1", "a\tb\t1\tx\t1\t1", "a\tb\t1\t0\t1\t1", "a\tb\t1\t-1\t1\t1", "a\tb\t1\tNaN\t1\t1", "a\tb\t1\tInf\t1\t1", "a\tb\t1\t1\t1\t1\t1"} {
		if m, err := parseMeasured(bad); err == nil {
			t.Errorf("%q was taken as %+v", bad, m)
		}
	}
}

func TestQuantiles(t *testing.T) {
	for _, c := range []struct {
		times  Times
		median Seconds
		q1     Seconds
	}{{nil, 0, 0}, {Times{3}, 3, 3}, {Times{9, 1}, 5, 3}, {Times{9, 1, 2}, 2, 1.5}, {Times{4, 1, 3, 2, 5}, 3, 2}} {
		if m, q := c.times.Median(), c.times.quantile(0.25); m != c.median || q != c.q1 {
			t.Errorf("%v: median %v, first quartile %v", c.times, m, q)
		}
	}
}

func TestMarks(t *testing.T) {
	r := &Row{Goals: []Goal{{"cub", 1}}}
	for _, c := range []struct {
		yardstick    string
		ours, theirs Times
		ratio        float64
		want         Mark
	}{
		{"cub", Times{2}, Times{4}, 2, Ok},
		{"cub", Times{4}, Times{4}, 1, Ok},
		{"cub", Times{4}, Times{2}, 0.5, Short},
		{"copy", Times{4}, Times{2}, 0.5, None},
		{"cub", nil, Times{2}, 0, Short},
	} {
		got := compare(r, c.yardstick, c.ours, c.theirs)
		if got.Ratio != c.ratio || got.Mark() != c.want {
			t.Errorf("%v: %+v, %q", c, got, got.Mark())
		}
	}
	number := func(f float64) *float64 { return &f }
	for _, c := range []struct {
		r    Result
		want Mark
	}{
		{Result{Time: Times{1}}, None},
		{Result{Time: Times{1}, Most: 1}, Ok},
		{Result{Time: Times{1.1}, Most: 1}, Short},
		{Result{Time: Times{1}, Most: 1, MostAllocs: 2, Allocs: number(2)}, Ok},
		{Result{Time: Times{1}, Most: 1, MostAllocs: 2, Allocs: number(3)}, Short},
		{Result{Most: 1, Skipped: "no room"}, None},
		{Result{Most: 1, Failed: "wrong"}, None},
	} {
		if got := c.r.Mark(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.r, got, c.want)
		}
	}
}

func TestTable(t *testing.T) {
	allocs := 2.0
	results := []*Result{
		{Name: "Scan/n=16", Bytes: 1e9, Floor: 0.001, Time: Times{0.002, 0.002, 0.0022}, Comparisons: []Comparison{
			{"cub", Times{0.0019}, 0.95, 1}, {"copy", Times{0.001}, 0.5, 0}}},
		{Name: "Call/until=enqueued", Time: Times{4e-6}, Most: 5e-6, Allocs: &allocs, MostAllocs: 2, Note: "as told"},
		{Name: "Map/n=16", Skipped: "no room"},
	}
	const want = `row                  floor    skelgo    quartiles  GB/s  yardstick  its time    quartiles     ratio            goal
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
Scan/n=16             1 ms      2 ms  +0.0% +5.0%   500  cub          1.9 ms  +0.0% +0.0%     0.950               1  SHORT
                                                         copy           1 ms  +0.0% +0.0%     0.500
Call/until=enqueued             4 µs  +0.0% +0.0%                                          2 allocs  5 µs, 2 allocs  ok
Map/n=16                    left out

Times are by call, medians of the rounds with their quartiles. The ratio is skelgo's
speed in that of the yardstick. copy is the device copy, as long as it takes to move
the row's bytes, and so the floor.
Call/until=enqueued: as told
1 of 2 goals are met.
`
	if got := tableOf(results); got != want {
		t.Error(cmp.Diff(want, got))
	}
}

func TestBenchmarkFormat(t *testing.T) {
	r := &Row{Name: "Map/type=float32/n=16", Bytes: 128}
	var b strings.Builder
	benchmarks(&b, r, &Result{Time: Times{1e-6, 2e-6}, Comparisons: []Comparison{{Yardstick: "copy", Time: Times{5e-7}}}}, "cuda:0")
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

// TestSteady: enough calls for the time that a sample should take, and a wait.
func TestSteady(t *testing.T) {
	s := testSession(t)
	calls := 0
	sample, err := steady(s.device, func() error { calls++; time.Sleep(100 * time.Microsecond); return nil }, 5*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	calls = 0
	if d, err := sample(); err != nil || d < 100*time.Microsecond || calls < 2 || calls > 60 {
		t.Errorf("%v, %v, %d calls", d, err, calls)
	}
}

// TestReference: the references see one wrong element.
func TestReference(t *testing.T) {
	s := testSession(t)
	for _, n := range []int{1, 4096, 100_000, 1<<20 + 4097} {
		x, err := float32s.random.fill(s, n, 0)
		if err != nil {
			t.Fatal(err)
		}
		sums := float32s.sums.Inclusive(x)
		check := func() error { return checkScan(sums, false, addition, ticks, float32s.sameSum) }
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
		if want := addition.total(n, ticks); !float32s.sameSum(last, want, n) || float32s.sameSum(last+0.5, want, n) {
			t.Errorf("n=%d: the sum is %v, and %v units", n, last, want)
		}
	}
}
