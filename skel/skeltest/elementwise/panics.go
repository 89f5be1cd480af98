package elementwise

import (
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

// testPanics makes mistakes that are bugs of the caller. Each must panic with a message that
// begins with the name of the package that found it.
func testPanics(t *testing.T, d *devices.Device) {
	on := vector.Single(d)
	a, b := kit.Put(t, d, kit.Floats(10)), kit.Put(t, d, kit.Floats(11))
	ma, mb := kit.PutMatrix(t, d, 2, 6, kit.Floats(12)), kit.PutMatrix(t, d, 3, 4, kit.Floats(12))
	out10, out12 := kit.Put(t, d, kit.Floats(10)), kit.Put(t, d, kit.Floats(12))
	offsets := kit.Put(t, d, []int{0, 10})
	freed := vector.From(kit.Floats(10), on)
	freedView, freedOut := freed.View(), freed.OutView()
	freedScan := biasedScan.With(freedView)
	freed.Free()

	for name, call := range kit.Ordered(map[string]struct {
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
			skel.NewFilterWith(kit.KeepsAndWrites)
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
		"Zip lengths":       {"skel", func() { kit.Differences.Apply(a, b) }},
		"Zip index lengths": {"skel", func() { kit.Shifted.Apply(vector.Indices(9), a) }},
		"Zip shapes":        {"skel", func() { kit.Differences.ApplyMatrix(ma, mb) }},
		"ZipWith lengths":   {"skel", func() { kit.Blends.With(1).Apply(a, b) }},
		"ZipVoid lengths": {"skel", func() {
			_ = kit.ScatterAll.With(b.OutView()).Apply(kit.Put(t, d, kit.Permutation(3)), a)
		}},
		"Map output":         {"skel", func() { _ = kit.Squares.ApplyTo(out12, a) }},
		"Map output shape":   {"skel", func() { _ = kit.Squares.ApplyMatrixTo(mb, ma) }},
		"Zip output":         {"skel", func() { _ = kit.Differences.ApplyTo(out12, a, a) }},
		"Scan output":        {"skel", func() { _ = kit.Sums32.Scan.InclusiveTo(b, a) }},
		"keys":               {"skel", func() { kit.Sums32.Reduce.ByKey(a, kit.Put(t, d, kit.KeysFor(9, 2)), 2) }},
		"row keys":           {"skel", func() { kit.Sums32.Reduce.RowsByKey(mb, kit.Put(t, d, kit.KeysFor(4, 2)), 2) }},
		"number of keys":     {"skel", func() { kit.Sums32.Reduce.ByKey(a, kit.Put(t, d, kit.KeysFor(10, 2)), -1) }},
		"no offsets":         {"skel", func() { kit.Sums32.Reduce.Segments(a, kit.Put(t, d, []int{})) }},
		"no offsets, scan":   {"skel", func() { kit.Sums32.Scan.InclusiveSegments(a, kit.Put(t, d, []int{})) }},
		"freed, map":         {"vector", func() { kit.OK(t, kit.Squares.Apply(freed).Wait()) }},
		"freed, zip":         {"vector", func() { kit.OK(t, kit.Differences.Apply(out10, freed).Wait()) }},
		"freed, reduce":      {"vector", func() { kit.Sums32.Reduce.Apply(freed) }},
		"freed, scan":        {"vector", func() { kit.Sums32.Scan.Inclusive(freed) }},
		"freed, output":      {"vector", func() { _ = kit.Squares.ApplyTo(freed, a) }},
		"freed, segments":    {"vector", func() { kit.Sums32.Reduce.Segments(freed, offsets) }},
		"freed, view":        {"vector", func() { freed.View() }},
		"freed, view in use": {"vector", func() { _ = kit.Flips.With(freedView).Apply(vector.Indices(10, on)).Wait() }},
		"freed, out-view": {"vector",
			func() { _ = turnsOver.With(fromTo{a.View(), freedOut}).Apply(vector.Indices(10, on)) }},
		"freed, extra":        {"vector", func() { _ = freedScan.Inclusive(a).Wait() }},
		"freed, host":         {"vector", func() { _, _ = freed.Host() }},
		"matrix of a vector":  {"matrix", func() { matrix.Of(a, 3, 4) }},
		"pointers as element": {"vector", func() { vector.New[*int](1, on) }},
	}) {
		t.Run(name, func(t *testing.T) {
			switch text := kit.Recovered(call.f); {
			case text == "":
				t.Error("no panic")
			case !strings.HasPrefix(text, call.pkg+": "):
				t.Errorf("panic %q does not begin with %q", text, call.pkg+": ")
			}
		})
	}
	kit.Expect(t, a, kit.Floats(10)) // the inputs are unchanged
	kit.Expect(t, kit.Squares.Apply(a), kit.Apply(kit.Square, kit.Floats(10)))
}
