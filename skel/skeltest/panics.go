package skeltest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// testPanics makes mistakes that are bugs of the caller. Each must panic with a message that
// begins with the name of the package that found it.
func testPanics(t *testing.T, d *devices.Device) {
	on := vector.Single(d)
	a, b := put(t, d, floats(10)), put(t, d, floats(11))
	ma, mb := putMatrix(t, d, 2, 6, floats(12)), putMatrix(t, d, 3, 4, floats(12))
	out10, out12 := put(t, d, floats(10)), put(t, d, floats(12))
	offsets := put(t, d, []int{0, 10})
	freed := vector.From(floats(10), on)
	freedView, freedOut := freed.View(), freed.OutView()
	freedScan := biasedScan.With(freedView)
	freed.Free()

	for name, call := range map[string]struct {
		pkg string
		f   func()
	}{
		"nil Map":        {"skel", func() { skel.NewMap[int, int](nil) }},
		"nil MapWith":    {"skel", func() { skel.NewMapWith[int, int, int](nil) }},
		"nil MapVoid":    {"skel", func() { skel.NewMapVoidWith[int, int](nil) }},
		"nil Zip":        {"skel", func() { skel.NewZip[int, int, int](nil) }},
		"nil ZipWith":    {"skel", func() { skel.NewZipWith[int, int, int, int](nil) }},
		"nil ZipVoid":    {"skel", func() { skel.NewZipVoidWith[int, int, int](nil) }},
		"nil Reduce":     {"skel", func() { skel.NewReduce(nil, 0) }},
		"nil ReduceWith": {"skel", func() { skel.NewReduceWith[int, int](nil, 0) }},
		"nil Scan":       {"skel", func() { skel.NewScan(nil, 0) }},
		"nil ScanWith":   {"skel", func() { skel.NewScanWith[int, int](nil, 0) }},
		"nil Filter":     {"skel", func() { skel.NewFilter[int](nil) }},
		"nil FilterWith": {"skel", func() { skel.NewFilterWith[int, int](nil) }},
		"nil Unique":     {"skel", func() { skel.NewUnique[int](nil) }},
		"nil UniqueWith": {"skel", func() { skel.NewUniqueWith[int, int](nil) }},
		"Filter that writes": {"skel", func() {
			skel.NewFilterWith(keepsAndWrites)
		}},
		"lengths in Compact": {"skel", func() {
			skel.Compact[float32](a, vector.New[bool](11, on))
		}},
		"nil Sort":          {"skel", func() { skel.NewSort[int](nil) }},
		"nil SortWith":      {"skel", func() { skel.NewSortWith[int, int](nil) }},
		"nil SortBy":        {"skel", func() { skel.NewSortBy[int, int](nil) }},
		"nil SortByWith":    {"skel", func() { skel.NewSortByWith[int, int, int](nil) }},
		"Sort output":       {"skel", func() { _ = skel.Ascending[float32]().ApplyTo(b, a) }},
		"SortPairs lengths": {"skel", func() { skel.SortPairs(skel.Ascending[float32](), a, b) }},
		"Zip lengths":       {"skel", func() { differences.Apply(a, b) }},
		"Zip index lengths": {"skel", func() { shifted.Apply(vector.Indices(9), a) }},
		"Zip shapes":        {"skel", func() { differences.ApplyMatrix(ma, mb) }},
		"ZipWith lengths":   {"skel", func() { blends.With(1).Apply(a, b) }},
		"ZipVoid lengths": {"skel", func() {
			_ = scatterAll.With(b.OutView()).Apply(put(t, d, permutation(3)), a)
		}},
		"Map output":         {"skel", func() { _ = squares.ApplyTo(out12, a) }},
		"Map output shape":   {"skel", func() { _ = squares.ApplyMatrixTo(mb, ma) }},
		"Zip output":         {"skel", func() { _ = differences.ApplyTo(out12, a, a) }},
		"Scan output":        {"skel", func() { _ = sums32.scan.InclusiveTo(b, a) }},
		"keys":               {"skel", func() { sums32.reduce.ByKey(a, put(t, d, keysFor(9, 2)), 2) }},
		"row keys":           {"skel", func() { sums32.reduce.RowsByKey(mb, put(t, d, keysFor(4, 2)), 2) }},
		"number of keys":     {"skel", func() { sums32.reduce.ByKey(a, put(t, d, keysFor(10, 2)), -1) }},
		"no offsets":         {"skel", func() { sums32.reduce.Segments(a, put(t, d, []int{})) }},
		"no offsets, scan":   {"skel", func() { sums32.scan.InclusiveSegments(a, put(t, d, []int{})) }},
		"freed, map":         {"vector", func() { ok(t, squares.Apply(freed).Wait()) }},
		"freed, zip":         {"vector", func() { ok(t, differences.Apply(out10, freed).Wait()) }},
		"freed, reduce":      {"vector", func() { sums32.reduce.Apply(freed) }},
		"freed, scan":        {"vector", func() { sums32.scan.Inclusive(freed) }},
		"freed, output":      {"vector", func() { _ = squares.ApplyTo(freed, a) }},
		"freed, segments":    {"vector", func() { sums32.reduce.Segments(freed, offsets) }},
		"freed, view":        {"vector", func() { freed.View() }},
		"freed, view in use": {"vector", func() { _ = flips.With(freedView).Apply(vector.Indices(10, on)).Wait() }},
		"freed, out-view": {"vector",
			func() { _ = turnsOver.With(fromTo{a.View(), freedOut}).Apply(vector.Indices(10, on)) }},
		"freed, extra":        {"vector", func() { _ = freedScan.Inclusive(a).Wait() }},
		"freed, host":         {"vector", func() { _, _ = freed.Host() }},
		"matrix of a vector":  {"matrix", func() { matrix.Of(a, 3, 4) }},
		"pointers as element": {"vector", func() { vector.New[*int](1, on) }},
	} {
		t.Run(name, func(t *testing.T) {
			switch text := recovered(call.f); {
			case text == "":
				t.Error("no panic")
			case !strings.HasPrefix(text, call.pkg+": "):
				t.Errorf("panic %q does not begin with %q", text, call.pkg+": ")
			}
		})
	}
	expect(t, a, floats(10)) // the inputs are unchanged
	expect(t, squares.Apply(a), apply(square, floats(10)))
}

// recovered returns the message with which f panics, or "" if it does not.
func recovered(f func()) (text string) {
	defer func() {
		if p := recover(); p != nil {
			text = fmt.Sprint(p)
		}
	}()
	f()
	return ""
}
