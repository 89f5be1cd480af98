package skel_test

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// TestHistogramOfTinyRanges counts in ranges so small that bins/(hi-lo) is infinite, and so large that
// differences of float32 are.
func TestHistogramOfTinyRanges(t *testing.T) {
	const least, most32 = math.SmallestNonzeroFloat64, math.MaxFloat32
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		on := vector.Single(d)
		doubles := vector.From([]float64{
			0, -least, least, 2 * least, 3 * least, 4 * least, 1, math.Inf(1), math.NaN(),
		}, on)
		singles := vector.From([]float32{0, math.SmallestNonzeroFloat32, 1, -most32, most32, float32(math.NaN())}, on)
		integers := vector.From([]int32{0, 1, -1, math.MaxInt32, math.MinInt32}, on)
		for _, c := range []struct {
			name string
			got  *vector.Vector[int]
			want string
		}{
			{"4 numbers in 4 bins", skel.HistogramEven(doubles, 0, 4*least, 4), "[1 1 1 1]"},
			{"4 numbers in 2 bins", skel.HistogramEven(doubles, 0, 4*least, 2), "[2 2]"},
			{"1 number in 3 bins", skel.HistogramEven(doubles, 0, least, 3), "[0 1 0]"},
			{"negative numbers", skel.HistogramEven(doubles, -least, least, 2), "[1 1]"},
			{"from 1", skel.HistogramEven(doubles, 1, math.Nextafter(1, 2), 2), "[0 1]"},
			{"edges that round to 0", skel.HistogramEven(singles, 0, least, 2), "[0 1]"},
			{"float32", skel.HistogramEven(singles, 0, 2*math.SmallestNonzeroFloat32, 2), "[1 1]"},
			{"all float32", skel.HistogramEven(singles, -most32, math.Nextafter(most32, math.Inf(1)), 2), "[1 4]"},
			{"beyond float32", skel.HistogramEven(singles, -1e300, 1e300, 3), "[0 5 0]"},
			{"int32 in a tiny range", skel.HistogramEven(integers, 0, least, 2), "[0 1]"},
			{"int32 in a huge range", skel.HistogramEven(integers, -1e300, 1e300, 3), "[0 5 0]"},
		} {
			s, err := c.got.Host()
			if fmt.Sprint(s) != c.want || err != nil {
				t.Errorf("%s: %v, error %v; want %s", c.name, s, err, c.want)
			}
		}
	})
}

// TestHistogramOfTooManyBins checks that the number of bins is checked before their edges are computed.
func TestHistogramOfTooManyBins(t *testing.T) {
	v := vector.From([]float32{0.5})
	for _, bins := range []int{math.MaxInt, math.MaxInt32 + 1} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := skel.HistogramEven(v, 0, 1, bins).Err()
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), "bins are more than the 2147483647 that are possible") {
			t.Errorf("%d bins: error %v", bins, err)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
			t.Errorf("%d bins: %d bytes were allocated for an error", bins, n)
		}
	}
}

func TestHistogramPanics(t *testing.T) {
	v := vector.From([]float64{1})
	for want, f := range map[string]func(){
		"1 to NaN is not a range":  func() { skel.HistogramEven(v, 1, math.NaN(), 2) },
		"-Inf to 1 is not a range": func() { skel.HistogramEven(v, math.Inf(-1), 1, 2) },
		"2 to 1 is not a range":    func() { skel.HistogramEven(v, 2, 1, 2) },
		"the range times the number of bins": func() {
			skel.HistogramEven(v, -math.MaxFloat64, math.MaxFloat64, 1)
		},
		"the number of bins, 0, is less than 1":   func() { skel.HistogramEven(v, 0, 1, 0) },
		"(1e+308 - 0) * 100, the range times the": func() { skel.HistogramEven(v, 0, 1e308, 100) },
	} {
		expectPanic(t, want, f)
	}
}

// expectPanic checks that f panics with a message that contains want.
func expectPanic(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if r := fmt.Sprint(recover()); !strings.HasPrefix(r, "skel: ") || !strings.Contains(r, want) {
			t.Errorf("panic %q, want one with %q", r, want)
		}
	}()
	f()
}
