package pca

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	compare "github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// memory is SKEL_MEMORY in all tests, because pages are made once.
const memory = "512KiB"

// TestFitPages fits models to rows on pages, which are read from a reader again and again, and to the same
// rows in memory.
func TestFitPages(t *testing.T) {
	t.Setenv("SKEL_MEMORY", memory)
	cpu, err := devices.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	const rows, cols = 14_000, 9
	elements := wave(rows, cols)
	for _, o := range []Options{
		{Method: TSQR}, {Method: Covariance, Whiten: true}, {Method: NIPALS, Components: 2, MaxIter: 3},
	} {
		want := fitOn(t, cpu[0], rows, cols, elements, o)
		for _, d := range devicestest.All(t) {
			source := bytes.NewReader(devices.Bytes(elements))
			where := app.Distribute([]*devices.Device{d}, source.Size())
			if !d.Native() && where.Kind() != vector.Blocks {
				t.Fatalf("%v: the rows are on %v", d, where)
			}
			x := matrix.FromReader[float32](source, rows, cols, where)
			got, err := Fit(t.Context(), x, o)
			if err != nil {
				t.Errorf("%v, %s: %v", d, o.Method, err)
				continue
			}
			if diff := compare.Diff(want, got); diff != "" {
				t.Errorf("%v, %s: not the model of rows in memory: %s", d, o.Method, diff)
			}
			x.Free()
		}
	}
}

// TestWidePages fits models to fewer rows than columns on pages, of which not all methods are able.
func TestWidePages(t *testing.T) {
	t.Setenv("SKEL_MEMORY", memory)
	const rows, cols = 20, 5000
	elements := wave(rows, cols)
	for _, d := range devicestest.All(t) {
		where := app.Distribute([]*devices.Device{d}, 4*rows*cols)
		if where.Kind() != vector.Blocks {
			continue
		}
		x := matrix.From(rows, cols, elements, where)
		_, err := Fit(t.Context(), x, Options{Method: Covariance, Components: 2})
		want := fmt.Sprintf("20 rows of 5 000 columns: with fewer rows than columns, covariance needs 781 KiB at "+
			"once, and %v has 512 KiB; use nipals", d)
		if !app.IsInputError(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", d, err)
		}
		got, err := Fit(t.Context(), x, Options{Method: NIPALS, Components: 2, MaxIter: 3})
		if err != nil {
			t.Fatalf("%v: %v", d, err)
		}
		m := fitOn(t, d.Base(), rows, cols, elements, Options{Method: NIPALS, Components: 2, MaxIter: 3})
		if diff := compare.Diff(m, got); diff != "" {
			t.Errorf("%v: not the model of rows in memory: %s", d, diff)
		}
		x.Free()
	}
}

// TestWideHost checks what tsqr needs of the host.
func TestWideHost(t *testing.T) {
	x := matrix.From(2, 100, wave(2, 100))
	defer x.Free()
	f, err := newFitting(x, &Options{Method: TSQR})
	if err != nil {
		t.Fatal(err)
	}
	defer f.free()
	const need = 4 * 2 * 100 * 8
	if err := f.checkHost(need); err != nil {
		t.Error(err)
	}
	if err := f.checkHost(need - 1); !app.IsInputError(err) || !strings.Contains(err.Error(), "tsqr needs 6.25 KiB") {
		t.Error(err)
	}
}

const streamed, streamedCols = 6000, 9

// runStreamed runs the command on a device. It returns what is printed, without the time, and whether
// the file was read in parts.
func runStreamed(t *testing.T, d *devices.Device, c Command) (printed string, inParts bool, err error) {
	t.Helper()
	var out strings.Builder
	env := &app.Env{Stdout: &out, Stderr: io.Discard, Stdin: strings.NewReader("")}
	c.Format, c.Tol, c.MaxIter, c.Device = "auto", 1e-3, 9, d.ID()
	c.Method, c.Precision = cmp.Or(c.Method, "tsqr"), cmp.Or(c.Precision, "auto")
	j := &job{options: &c.options, source: &c, modelFile: c.Model, inverse: c.Inverse}
	err = app.Run(t.Context(), env, c.Flags, j)
	printed = regexp.MustCompile(`, on .*|, [^,]*\n$`).ReplaceAllString(out.String(), "")
	return printed, err == nil && j.results == nil, err
}

// TestStream runs the command on a file that is larger than the devices may hold, and on one that they read as
// a whole.
func TestStream(t *testing.T) {
	dir := t.TempDir()
	x, integers := filepath.Join(dir, "x.npy"), filepath.Join(dir, "i.npy")
	elements := wave(streamed, streamedCols)
	if err := data.WriteArray(nil, x, elements, streamed, streamedCols); err != nil {
		t.Fatal(err)
	}
	rounded := make([]int16, len(elements))
	for i, v := range elements {
		rounded[i] = int16(1000 * v)
	}
	if err := data.WriteArray(nil, integers, rounded, streamed, streamedCols); err != nil {
		t.Fatal(err)
	}
	contents := func(d *devices.Device, prefix string, want bool) (all []string) {
		out := func(name string) string { return filepath.Join(dir, prefix+name) }
		for _, c := range []Command{
			{File: x, options: options{
				Components: "3", Whiten: true, Scores: out("s.npy"), Save: out("m.json"), Plot: out("plot.svg"),
			}},
			{File: x, Model: out("m.json"), options: options{Scores: out("s.csv")}},
			{File: out("s.npy"), Model: out("m.json"), Inverse: out("r.npy")},
			{File: x, options: options{Components: "2", Method: "covariance", Plot: out("plot2.svg")}},
			{File: integers, options: options{Components: "2", Precision: "32", Scores: out("i.npy")}},
		} {
			printed, inParts, err := runStreamed(t, d, c)
			if err != nil || inParts != want {
				t.Fatalf("%v: %+v: in parts: %v, %v", d, c, inParts, err)
			}
			all = append(all, strings.ReplaceAll(printed, prefix, ""))
		}
		for _, name := range []string{"s.npy", "m.json", "plot.svg", "s.csv", "r.npy", "plot2.svg", "i.npy"} {
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
	for _, d := range devicestest.All(t) {
		for i, got := range contents(d, "parts-", true) {
			if got != want[i] {
				t.Errorf("%v, result %d: %.1000q, want %.1000q", d, i, got, want[i])
			}
		}
	}
}

func TestStreamErrors(t *testing.T) {
	dir := t.TempDir()
	x, model := filepath.Join(dir, "x.npy"), filepath.Join(dir, "m.json")
	elements := wave(streamed, streamedCols)
	write := func(shape ...int) []byte {
		t.Helper()
		if err := data.WriteArray(nil, x, elements, shape...); err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(x)
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
	good, rank3 := write(streamed, streamedCols), write(streamed, 3, 3)
	elements[5000*streamedCols+7] = float32(math.NaN())
	nan := write(streamed, streamedCols)
	t.Setenv("SKEL_MEMORY", memory)
	for _, d := range devicestest.All(t) {
		for _, c := range []struct {
			content []byte
			model   string
			want    string
		}{
			{nan, "", "row 5000, column 7 (from 0): NaN is not finite in float32; use --skip-nonfinite"},
			{rank3, "", "an array of rank 3, shape [6000 3 3]"},
			{good[:len(good)-1], "", "needs 216000 bytes of data: it ends after 215999"},
			{bytes.Replace(good, []byte("<f4"), []byte("<c4"), 1), "", `elements of type "<c4"`},
			{good, "", ""},
			{nan, model, "row 5000, column 7 (from 0): NaN is not finite in float32; use --skip-nonfinite"},
		} {
			if err := os.WriteFile(x, c.content, 0o600); err != nil {
				t.Fatal(err)
			}
			command := Command{File: x, Model: c.model}
			command.Scores = filepath.Join(dir, "s.csv")
			if c.model == "" {
				command.Components, command.Save = "1", model
			}
			_, _, err := runStreamed(t, d, command)
			if c.want == "" && err == nil {
				continue
			}
			if !app.IsInputError(err) || !strings.HasPrefix(err.Error(), x+": ") ||
				!strings.Contains(err.Error(), c.want) {
				t.Errorf("%v: %v, want %q", d, err, c.want)
			}
		}
	}
}
