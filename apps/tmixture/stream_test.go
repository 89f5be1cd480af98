package tmixture

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// memory is SKEL_MEMORY in all tests, because pages are made once.
const memory = "1MiB"

// scattered returns rows around three places, and a few far from these.
func scattered[T number](n, p int) []T {
	r := rand.New(rand.NewPCG(3, 4))
	x := make([]T, 0, n*p)
	for i := range n {
		for c := range p {
			v := 100 + float64(5*(i%3)*(c+1)) + r.NormFloat64()
			if i%997 == 5 {
				v += 300
			}
			x = append(x, T(v))
		}
	}
	return x
}

// TestFitFrom fits mixtures to rows that are read again and again, and to the same rows in memory.
func TestFitFrom(t *testing.T) {
	t.Setenv("SKEL_MEMORY", memory)
	testFitFrom[float64](t, 17_001, 6, Options{Components: 2, MaxIter: 2})
	if !devicestest.Thorough() {
		return
	}
	testFitFrom[float64](t, 66_001, 6, Options{MaxComponents: 3, DF: Each, MaxIter: 4})
	testFitFrom[float64](t, 66_001, 6, Options{Components: 2, Covariance: Spherical, Init: KMeans, MaxIter: 3})
	// Blocks of rows of products end elsewhere than pages.
	testFitFrom[float32](t, 200_001, 2, Options{Components: 2, Covariance: Diagonal, MaxIter: 2})
	testFitFrom[float32](t, 200_001, 2, Options{Components: 2, Covariance: Tied, Init: Random, MaxIter: 2})
}

func testFitFrom[T number](t *testing.T, n, p int, o Options) {
	t.Helper()
	cpu, err := devices.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	elements := scattered[T](n, p)
	x := matrix.From(n, p, elements, vector.Single(cpu[0]))
	defer x.Free()
	want, err := Fit(t.Context(), x, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range devicestest.All(t) {
		source := bytes.NewReader(devices.Bytes(elements))
		where := app.Distribute([]*devices.Device{d}, source.Size())
		if !d.Native() && where.Kind() != vector.Blocks {
			t.Fatalf("%v: the rows are on %v", d, where)
		}
		got, err := FitFrom[T](t.Context(), source, n, p, where, o)
		if err != nil {
			t.Errorf("%v, %+v: %v", d, o, err)
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v, %+v: not the model of rows in memory: %s", d, o, diff)
		}
	}
}

func TestFitFromErrors(t *testing.T) {
	t.Setenv("SKEL_MEMORY", memory)
	const n, p = 17_001, 6
	good := scattered[float64](n, p)
	changed := func(i int, v float64) []float64 {
		x := append([]float64(nil), good...)
		x[i] = v
		return x
	}
	flat := append([]float64(nil), good...)
	for i := 4; i < len(flat); i += p {
		flat[i] = 7
	}
	for _, d := range devicestest.All(t) {
		for _, c := range []struct {
			elements []float64
			n, g     int
			want     string
		}{
			{changed(p*12_000+3, math.NaN()), n, 2, "row 12000, column 3 (from 0) is NaN"},
			{flat, n, 2, "column 4 (from 0) is 7 in every row"},
			{changed(p*12_000+3, 1e300), n, 2, "column 3 (from 0) has the number 1e+300"},
			{good, n, 0, "the number of components is 0"},
			{good, n + 1, 2, "EOF"},
		} {
			source := bytes.NewReader(devices.Bytes(c.elements))
			where := app.Distribute([]*devices.Device{d}, source.Size())
			o := Options{Components: c.g, Covariance: Diagonal, MaxIter: 2}
			_, err := FitFrom[float64](t.Context(), source, c.n, p, where, o)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v: %v, want %q", d, err, c.want)
			}
		}
	}
}

// runCommand runs the command on a device. It returns what is printed, without the time, and whether the file was
// read in parts.
func runCommand(t *testing.T, d *devices.Device, c Command) (printed string, inParts bool, err error) {
	t.Helper()
	var out strings.Builder
	env := &app.Env{Stdout: &out, Stderr: io.Discard, Stdin: strings.NewReader("")}
	c.Format, c.MinComponents, c.Penalty, c.Covariance, c.Denominator = "auto", 1, "message", "full", "zu"
	c.DF, c.NInit, c.Seed, c.Tol, c.MaxIter, c.Device = "shared", 1, 1, 1e-3, 5000, d.ID()
	if c.Model == "" {
		c.Components, c.MaxIter = 2, 2
	}
	j := &job{options: &c.options, source: &c, modelFile: c.Model}
	err = app.Run(t.Context(), env, c.Flags, j)
	printed = regexp.MustCompile(`, on .*|, [^,]*\n$`).ReplaceAllString(out.String(), "")
	return printed, j.array != nil, err
}

// TestFacts: a checkpoint has the same facts about numbers in memory and about those that stay in their file, because
// a run may go on where more or less of them fits.
func TestFacts(t *testing.T) {
	const n, p = 101, 6
	name := filepath.Join(t.TempDir(), "x.npy")
	elements := scattered[float32](n, p)
	if err := data.WriteArray(nil, name, elements, n, p); err != nil {
		t.Fatal(err)
	}
	open := func() *data.File {
		f, err := data.Open(t.Context(), name, data.Options{Format: "auto"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() })
		return f
	}
	table, err := data.Decode[float64](open())
	if err != nil {
		t.Fatal(err)
	}
	array, err := open().Array(2)
	if err != nil || array == nil {
		t.Fatalf("no array: %v", err)
	}
	var all [2]string
	for i, j := range []*job{
		{options: &options{}, table: table},
		{options: &options{}, table: &data.Table[float64]{Rows: n, Cols: p}, array: array},
	} {
		facts, err := j.facts()
		if err != nil {
			t.Fatal(err)
		}
		all[i] = fmt.Sprint(facts)
	}
	if all[0] != all[1] {
		t.Errorf("in memory:\n%s\nin the file:\n%s", all[0], all[1])
	}
}

// TestStream runs the command on a file that is larger than the devices may hold, and on one that they read as
// a whole.
func TestStream(t *testing.T) {
	const n, p = 17_001, 6
	dir := t.TempDir()
	x := filepath.Join(dir, "x.npy")
	elements := scattered[float32](n, p)
	if err := data.WriteArray(nil, x, elements, n, p); err != nil {
		t.Fatal(err)
	}
	precision := "64"
	if devicestest.Thorough() {
		precision = "32" // builds other kernels
	}
	contents := func(d *devices.Device, prefix string, want bool) (all []string) {
		out := func(name string) string { return filepath.Join(dir, prefix+name) }
		for _, c := range []Command{
			{File: x, options: options{
				Precision: "64", Labels: out("l.npy"), Posteriors: out("p.npy"), Save: out("m.json"),
			}},
			{File: x, Model: out("m.json"), options: options{
				Precision: precision, Outliers: out("o.npy"), Plot: out("plot.svg"),
			}},
		} {
			printed, inParts, err := runCommand(t, d, c)
			if err != nil || inParts != want {
				t.Fatalf("%v: %+v: in parts: %v, %v", d, c, inParts, err)
			}
			all = append(all, strings.ReplaceAll(printed, prefix, ""))
		}
		for _, name := range []string{"l.npy", "p.npy", "m.json", "o.npy", "plot.svg"} {
			content, err := os.ReadFile(out(name))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, string(content))
		}
		return all
	}
	cpu, err := devices.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	want := contents(cpu[0], "whole-", false)
	t.Setenv("SKEL_MEMORY", memory)
	devs := devicestest.All(t)
	for _, d := range devs {
		for i, got := range contents(d, "parts-", true) {
			if got != want[i] {
				t.Errorf("%v, result %d: %.1000q, want %.1000q", d, i, got, want[i])
			}
		}
	}
	elements[12_000*p+3] = float32(math.Inf(1))
	if err := data.WriteArray(nil, x, elements, n, p); err != nil {
		t.Fatal(err)
	}
	for _, d := range devs {
		for _, model := range []string{"", filepath.Join(dir, "whole-m.json")} {
			_, _, err := runCommand(t, d, Command{File: x, Model: model, options: options{Precision: "64"}})
			const want = ": row 12000, column 3 (from 0): +Inf is not finite in float32; use --skip-nonfinite"
			if !app.IsInputError(err) || !strings.HasPrefix(err.Error(), x+want) {
				t.Errorf("%v: %v, want %s", d, err, want)
			}
		}
	}
}
