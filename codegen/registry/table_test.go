package registry

import (
	"embed"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

func square(x float32) float32 { return help(x) }
func help(x float32) float32   { return x * x }
func add2(x float32) float32   { return x + 2 }

func gen[T int32 | float32 | ~float64](x T) T { return x + x }

type celsius float64

type point struct{ x, y float32 }

func (p point) norm() float32   { return p.x * p.y }
func (p *point) scale() float32 { return p.x + p.y }

type box[T any] struct{ v T }

func (b box[T]) get() T { return b.v }

var atPackage = func(x float32) float32 { return help(x) + 1 }

func inlined() func(float32) float32 { return func(x float32) float32 { return x + 7 } }

//go:embed *_test.go
var texts embed.FS

// here is the source of this package's tests.
var here = From("github.com/skelgo/skelgo/codegen/registry", texts)

// fill adds f as a generated file in this directory would.
func fill(t *testing.T, f Func) *Func {
	t.Helper()
	_, file, _, _ := runtime.Caller(0)
	if err := add(&form{Func: &f, source: here, file: file}); err != nil {
		t.Fatal(err)
	}
	return &f
}

// empty gives the test an empty table.
func empty(t *testing.T) {
	named, literal, sources := table.named, table.literal, table.sources
	table.named, table.literal, table.sources = map[entry]*known{}, map[place][]*known{}, map[string][]*Source{}
	table.library = nil
	t.Cleanup(func() {
		table.named, table.literal, table.sources, table.library = named, literal, sources, nil
	})
}

func named(t *testing.T, name string, f any) *Func {
	t.Helper()
	return fill(t, Func{Name: name, Go: f, Type: reflect.TypeOf(f).String(), Pos: "a.go:1:1", Hash: name})
}

func found(t *testing.T, f any, want *Func) {
	t.Helper()
	got, err := Of(f)
	if err != nil || got != want {
		t.Errorf("Of(%s) = %v, %v; want %s", want.Name, got, err, want.Name)
	}
}

func TestNamed(t *testing.T) {
	empty(t)
	all := map[string]any{
		"square":   square,
		"add2":     add2,
		"norm":     point.norm,
		"*norm":    (*point).norm,
		"scale":    (*point).scale,
		"gen int":  gen[int32],
		"gen f32":  gen[float32],
		"gen f64":  gen[float64],
		"gen °C":   gen[celsius],
		"box int":  box[int].get,
		"box pair": box[point].get,
	}
	want := map[string]*Func{}
	for name, f := range all {
		want[name] = named(t, name, f)
	}
	for name, f := range all {
		found(t, f, want[name])
	}
	found(t, gen[float32], want["gen f32"])
	found(t, box[point].get, want["box pair"])
	passOn(t, gen[int32], want["gen int"])
}

func passOn[T any](t *testing.T, f func(T) T, want *Func) { found(t, f, want) }

func line() int {
	_, _, n, _ := runtime.Caller(1)
	return n
}

func literal(t *testing.T, name string, f any, first, last int) *Func {
	t.Helper()
	typ := reflect.TypeOf(f)
	within, span := lines("table_test.go", first, last)
	return fill(t, Func{Name: name, Go: reflect.Zero(typ).Interface(), Pos: "registry/table_test.go:1:1", Hash: name,
		Within: within, Span: span})
}

// lines returns the position of some lines of a file.
func lines(file string, first, last int) (within string, span [2]int) {
	here.read()
	f := here.text[file]
	from, _ := f.Line(first)
	_, to := f.Line(last)
	for _, d := range f.Decls {
		if d.From < to && from < d.To {
			return strconv.FormatUint(d.Sum, 36), [2]int{from - d.From, to - d.From}
		}
	}
	return "", span
}

func TestLiteral(t *testing.T) {
	empty(t)
	n := line()
	one := func(x float32) float32 { return x + 1 }
	two := func(x float32) float32 {

		return help(x) + 2
	}
	bits := func(x int32) int32 { return x }
	w1 := literal(t, "one", one, n+1, n+1)
	w2 := literal(t, "two", two, n+2, n+5)
	w3 := literal(t, "bits", bits, n+6, n+6)
	found(t, one, w1)
	found(t, two, w2)
	found(t, bits, w3)

	// A literal in an inlined function has several bodies.
	at := frame(reflect.ValueOf(inlined()).Pointer()).Line
	w4 := literal(t, "inlined", inlined(), at, at)
	found(t, inlined(), w4)
	func() { found(t, inlined(), w4) }()

	at = frame(reflect.ValueOf(atPackage).Pointer()).Line
	found(t, atPackage, literal(t, "package", atPackage, at, at))

	// A generated file cannot write this type; only its text is known.
	type local struct{ x float32 }
	n = line()
	hidden := func(l local) float32 { return l.x }
	within, span := lines("table_test.go", n+1, n+1)
	w5 := fill(t, Func{Name: "hidden", Type: "func(registry.local) float32", Pos: "table_test.go:1:1", Hash: "h",
		Within: within, Span: span})
	found(t, hidden, w5)
}

func insideGeneric[T float32 | int32]() any { return gen[T] }

func TestInstanceInsideGeneric(t *testing.T) {
	empty(t)
	at := frame(reflect.ValueOf(insideGeneric[int32]()).Pointer()).Line
	i := literal(t, "int32", insideGeneric[int32](), at, at)
	f := literal(t, "float32", insideGeneric[float32](), at, at)
	found(t, insideGeneric[int32](), i)
	found(t, insideGeneric[float32](), f)
}

func TestNotFound(t *testing.T) {
	empty(t)
	var none func(int) int
	for _, c := range []struct {
		f    any
		want string
	}{
		{square,
			"registry.square has no device form: run 'go generate ./...' (or add //go:generate go tool skelgen to " +
				"the package)"},
		{gen[int32], "registry.gen[...] has no device form"},
		{point.norm, "registry.point.norm has no device form"},
		{func(x int) int { return x }, "the function literal at table_test.go:"},
		{none, "the function is nil"},
		{7, "int is not a function"},
	} {
		_, err := Of(c.f)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Of(%T): %v; want %q", c.f, err, c.want)
		}
	}
}

func TestTwice(t *testing.T) {
	empty(t)
	f := Func{Name: "m/p.square", Go: square, Type: "func(float32) float32", Pos: "a.go:1:6", Hash: "1"}
	first := fill(t, f)
	f.Loops.Map = func(dst, a []float32) {}
	fill(t, f) // the same again, from another package, where a skeleton has a loop for it
	found(t, square, first)
	if got, _ := Of(square); got.Loops.Map == nil || got.Loops.Zip != nil {
		t.Errorf("the function does not have the loops of both packages: %+v", got.Loops)
	}
	bad := Func{Name: "x", Go: 3}
	if add(&form{Func: &bad, file: "z.go"}) == nil {
		t.Error("a number was accepted as a function")
	}
}
