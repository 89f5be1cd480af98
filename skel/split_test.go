package skel_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func steeper(nw, n, w int32, i, j int) int32             { return nw - 2*n + 3*w + int32(i-j) }
func slope(t, i, j int) int32                            { return int32(100*t + i - 2*j) }
func atIndex(i int) int32                                { return int32(i*i%31 - 9) }
func atCell(p matrix.Index) int32                        { return int32(p.Row*5 - p.Col) }
func isOddIndex(i int) bool                              { return i%2 == 1 }
func lookedUp(i int, table vector.View[int32]) int32     { return table.At(i % table.Len()) }
func steepBy(nw, n, w int32, i, j int, c weighing) int32 { return nw - n + w*c.By.At(0) + int32(i*j) }
func slopeBy(t, i, j int, c weighing) int32              { return int32(i-j) * c.By.At(0) }
func mark(i int, out vector.OutView[int32])              { out.Set(i, int32(i+1)) }
func markBoth(i int, x int32, out vector.OutView[int32]) { out.Set(i, x) }
func lineOf(w vector.Window[int32]) int32                { return w.At(-1) + 2*w.At(1) }
func planeOf(w matrix.Window[int32]) int32               { return w.At(-1, 0) + 2*w.At(0, 1) }
func dotOf(acc, a, b int32) int32                        { return acc + a*b }
func atLeastAs(a, b int32) bool                          { return a < b }
func sameParity(a, b int32) bool                         { return a&1 == b&1 }
func keyOfIndex(i int) int32                             { return int32(i % 5) }

type weighing struct{ By vector.View[int32] }

// withoutPlacement calls every skeleton on containers and indices for which no distribution is
// chosen, and returns the results by the names of the calls.
func withoutPlacement(n int) map[string]string {
	s := make([]int32, n)
	for i := range s {
		s[i] = int32(i * 7 % 100)
	}
	v, m := vector.From(s), matrix.From(n/4, 4, s)
	x, at := vector.Indices(n), matrix.Indices(n/4, 4)
	offsets := vector.From([]int{0, 3, n / 2, n})
	sum, scan := skel.NewReduce(addInts, 0), skel.NewScan(addInts, 0)
	less := skel.NewSort(atLeastAs)
	steep, steepWith := skel.NewWavefront(steeper, slope), skel.NewWavefrontWith(steepBy, slopeBy)
	tables := []skel.Table{{Rows: 9, Cols: 70}, {Row: 5, Rows: 130, Cols: 3, Backward: true}}
	out, out2 := vector.New[int32](n), vector.New[int32](n)
	odd := skel.NewFilter(isOddIndex)
	kept, rest := odd.Partition(x)
	values, lengths := skel.NewUnique(sameParity).Runs(v)
	bottom, right := steep.Ends(tables)
	vectors, scalars := map[string]*vector.Vector[int32]{
		"Map":                 skel.NewMap(atIndex).Apply(x),
		"Map of a matrix":     skel.NewMap(atCell).ApplyMatrix(at).Vector(),
		"Map with a view":     skel.NewMapWith(lookedUp).With(v.View()).Apply(x),
		"Scan":                scan.Inclusive(v),
		"Scan of indices":     scan.Exclusive(skel.NewMap(atIndex).Apply(x)),
		"MapOverlap":          skel.NewMapOverlap(lineOf, 1).Padding(vector.Wrap).Times(3).Apply(v),
		"MapOverlapMatrix":    skel.NewMapOverlapMatrix(planeOf, 1, 1).Neutral(3).Apply(m).Vector(),
		"MapOverlap repeated": skel.NewMapOverlapMatrix(planeOf, 1, 1).Apply(matrix.RepeatRow(v, 5)).Vector(),
		"AllPairs":            skel.NewAllPairsFold(dotOf, 0).Apply(m, m).Vector(),
		"Rows":                sum.Rows(m),
		"Cols":                sum.Cols(m),
		"Segments":            sum.Segments(v, offsets),
		"ByKey":               sum.ByKey(v, skel.NewMap(keyOfIndex).Apply(x), 5),
		"Sort":                less.Apply(v),
		"Sort of segments":    less.Segments(v, offsets),
		"Ascending":           skel.Ascending[int32]().Apply(v),
		"Top":                 less.Top(v, 5),
		"Gather":              skel.Gather[int32](v, less.Order(v)),
		"Reverse":             skel.Reverse[int32](v),
		"Transpose":           skel.Transpose[int32](m).Vector(),
		"Transpose indices":   skel.Transpose[int32](skel.NewMap(atCell).ApplyMatrix(at)).Vector(),
		"Compact":             skel.Compact[int32](v, skel.NewMap(isOddIndex).Apply(x)),
		"Unique":              values,
		"Wavefront":           steep.Apply(70, 90).Vector(),
		"Wavefront's tables":  steep.ApplyTables(tables),
		"Wavefront's bottom":  bottom,
		"Wavefront's right":   right,
		"Wavefront with":      steepWith.With(weighing{v.View()}).Apply(30, 40).Vector(),
	}, map[string]*vector.Vector[int]{
		"Partition":        kept,
		"Partition's rest": rest,
		"Compact indices":  skel.Compact[int](x, skel.NewMap(isOddIndex).Apply(x)),
		"Unique's runs":    lengths,
		"Order":            less.Order(v),
		"Top's order":      skel.Ascending[int32]().OrderTop(v, 4),
		"LowerBound":       skel.Ascending[int]().LowerBound(offsets, x),
		"UpperBound":       less.UpperBound(vector.From([]int32{3, 20, 50}), v),
		"CountByKey":       skel.CountByKey(skel.NewMap(keyOfIndex).Apply(x), 4),
		"HistogramEven":    skel.HistogramEven(x, 0, float64(n), 7),
		"HistogramEdges":   skel.HistogramEdges(x, offsets),
	}
	results := map[string]string{
		"Reduce":            fmt.Sprint(sum.Apply(v).Value()),
		"Reduce of indices": fmt.Sprint(sum.Apply(skel.NewMap(atIndex).Apply(x)).Value()),
		"MapVoid":           fmt.Sprint(skel.NewMapVoidWith(mark).With(out.OutView()).Apply(x)),
		"ZipVoid":           fmt.Sprint(skel.NewZipVoidWith(markBoth).With(out2.OutView()).Apply(x, v)),
	}
	vectors["MapVoid's output"], vectors["ZipVoid's output"] = out, out2
	for name, r := range vectors {
		results[name] = fmt.Sprint(r.Host())
	}
	for name, r := range scalars {
		results[name] = fmt.Sprint(r.Host())
	}
	return results
}

// TestSplitEverything runs all skeletons on three devices with SKEL_SPLIT=0, so that every vector is
// spread unless something says where it is. The results must be those of one device, and no vector that a
// skeleton makes for itself may be spread.
func TestSplitEverything(t *testing.T) {
	const n = 240
	devs := devicestest.Processors(t, 3)
	defer devices.SetDefaults()
	devices.SetDefaults(devs[0])
	want := withoutPlacement(n)
	t.Setenv("SKEL_SPLIT", "0")
	devices.SetDefaults(devs...)
	if d := vector.New[int32](n).Distribution(); d.Kind() != vector.Blocks {
		t.Fatalf("a vector is on %v", d)
	}
	got := withoutPlacement(n)
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got[name] != want[name] {
			t.Errorf("%s: %.200s, want %.200s", name, got[name], want[name])
		}
	}
}

// TestNoPlacementByDefault checks that skeletons do not create containers by the functions for programs,
// which may spread them: uninitialized and uploaded say where they are.
func TestNoPlacementByDefault(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no source files", err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				pkg, isName := s.X.(*ast.Ident)
				creates := slices.Contains([]string{"From", "New", "NewScalar", "Uninitialized"}, s.Sel.Name)
				if isName && (pkg.Name == "vector" || pkg.Name == "matrix") && creates {
					t.Errorf("%v: %s.%s may create a container on several devices",
						set.Position(s.Pos()), pkg.Name, s.Sel.Name)
				}
			}
			return true
		})
	}
}
