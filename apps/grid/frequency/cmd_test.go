package frequency

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data"
)

// usual returns the command with the defaults of its flags.
func usual(set func(*Command)) *Command {
	c := &Command{
		Carrier: 465000, Method: "auto", Precision: "float64", Level: 0.95, Points: 2001,
		Flags: app.Flags{Device: "cpu"},
	}
	set(c)
	return c
}

// runCommand runs a command and returns what it prints.
func runCommand(t *testing.T, c *Command) (out, notes string, err error) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	err = c.Run(t.Context(), &app.Env{Stdin: strings.NewReader("1\nInf\n"), Stdout: &stdout, Stderr: &stderr})
	return stdout.String(), stderr.String(), err
}

func TestCommandErrors(t *testing.T) {
	number := func(v float64) *float64 { return &v }
	paper := func(set func(*Command)) func(*Command) {
		return func(c *Command) { c.Paper, c.Axis = true, "460000:10:1300"; set(c) }
	}
	file := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(file, []byte("1\n2\n3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	signal := func(set func(*Command)) func(*Command) {
		return func(c *Command) {
			c.Signal, c.Code, c.Rate, c.Axis = file, "C44B", 5e6, "460000:10:1300"
			set(c)
		}
	}
	for _, c := range []struct {
		set  func(*Command)
		want string
	}{
		{func(*Command) {}, "--signal FILE is required, or --paper"},
		{paper(func(c *Command) { c.Signal = file }), "--paper cannot be combined with --signal"},
		{paper(func(c *Command) { c.Carrier = 1 }), "--paper cannot be combined with --carrier"},
		{signal(func(c *Command) { c.AsPrinted = true }), "--as-printed needs --paper"},
		{signal(func(c *Command) { c.Code = "" }), "--code HEX is required"},
		{signal(func(c *Command) { c.Code = "XY" }), `--code "XY": "X" is not a hexadecimal digit`},
		{signal(func(c *Command) { c.Rate = 0 }), "--rate HZ is required"},
		{signal(func(c *Command) { c.Rate = -1 }), "--rate -1: it must be a positive number"},
		{signal(func(c *Command) { c.Signal = file + "y" }), "no such file"},
		{signal(func(*Command) {}), "x: 3 samples for 16 bits of the code"},
		{signal(func(c *Command) { c.Signal = "-" }), "standard input:2:1: "},
		{paper(func(c *Command) { c.Step = 1 }), "--axis cannot be combined with --from"},
		{paper(func(c *Command) { c.Axis = "" }), "--from, --to and --step are required, or --axis"},
		{paper(func(c *Command) { c.Axis = "1:2" }), "--axis 1:2: it must be BEGIN:STEP:COUNT"},
		{paper(func(c *Command) { c.Axis = "a:2:3" }), `--axis a:2:3: the first frequency "a" is not a number`},
		{paper(func(c *Command) { c.Axis = "NaN:2:3" }), `the first frequency "NaN" is not a number`},
		{paper(func(c *Command) { c.Axis = "1:0:3" }), `the step "0" is not a positive number`},
		{paper(func(c *Command) { c.Axis = "1:1:0" }), `the number of frequencies "0" is not a whole number`},
		{paper(func(c *Command) { c.Axis = "1e9:1e-9:9" }), "the step of 1e-09 Hz is lost in rounding"},
		{paper(func(c *Command) { c.Axis = "1e300:1e290:9" }), "the phase of the last sample is"},
		{paper(func(c *Command) { c.Axis, c.From, c.To, c.Step = "", number(2), number(1), 1 }), "--to 1: it must"},
		{paper(func(c *Command) { c.Axis, c.From, c.To, c.Step = "", number(1), number(2), -1 }), "--step -1: it must"},
		{paper(func(c *Command) { c.Axis, c.From, c.To, c.Step = "", number(1), number(2), 1e-300 }), "there would be"},
		{paper(func(c *Command) { c.Level = 1 }), "--level 1: it must be between 0 and 1"},
		{paper(func(c *Command) { c.Points = 1 }), "--points 1: it must be from 2"},
		{paper(func(c *Command) { c.Plot = "x.pdf" }), "--plot x.pdf: the name must end in .png or .svg"},
		{signal(func(c *Command) { c.Curve = file }), "--curve"},
	} {
		out, _, err := runCommand(t, usual(c.set))
		if err == nil || !app.IsInputError(err) || !strings.Contains(err.Error(), c.want) || out != "" {
			t.Errorf("error %v, printed %q, want %q", err, out, c.want)
		}
	}
}

// TestSignalErrors has errors that the command cannot cause.
func TestSignalErrors(t *testing.T) {
	good := []float64{1, 2, 3, 4, 5, 6, 7, 8}
	for name, f := range map[string]func() error{
		"the images of the carrier are linearly dependent": func() error {
			s, err := New(good, make(Code, 8), 0, 100)
			if err != nil {
				return err
			}
			_, err = Minimize(t.Context(), s, Options{Step: 1, Count: 10})
			return err
		},
		"sample 0 (from 0) is NaN": func() error {
			s := &Signal{Samples: make([]float64, 6), Cos: good[:6], Sin: make([]float64, 6), Turn: 1}
			s.Samples[0] = math.NaN()
			_, err := Minimize(t.Context(), s, Options{Step: 1, Count: 10})
			return err
		},
		"8 samples, but images of 8 and 0": func() error {
			_, err := Minimize(t.Context(), &Signal{Samples: good, Cos: good, Turn: 1}, Options{Step: 1, Count: 10})
			return err
		},
		"5 samples; at least 6 are needed": func() error {
			s := &Signal{Samples: good[:5], Cos: good[:5], Sin: good[:5], Turn: 1}
			_, err := Minimize(t.Context(), s, Options{Step: 1, Count: 10})
			return err
		},
		"do not fit float64": func() error {
			s := Paper(false)
			for i := range s.Samples {
				s.Samples[i] *= 1e160
			}
			_, err := Minimize(t.Context(), s, Options{From: 460000, Step: 1, Count: 10})
			return err
		},
		"the axis has 0 nodes; it must": func() error { return (&Options{Step: 1}).check() },
		`unknown method "x"`:            func() error { return (&Options{Step: 1, Count: 1, Method: "x"}).check() },
		"a rate of 0 Hz":                func() error { _, err := New(good, make(Code, 8), 1, 0); return err },
		"8 samples for 3 bits":          func() error { _, err := New(good, make(Code, 3), 1, 10); return err },
		"the code is empty":             func() error { _, err := ParseCode(""); return err },
		"a carrier of +Inf Hz":          func() error { _, err := New(good, Code{true}, math.Inf(1), 9); return err },
	} {
		if err := f(); !app.IsInputError(err) || !strings.Contains(err.Error(), name) {
			t.Errorf("error %v, want %q", err, name)
		}
	}
}

// TestJSON runs the command on a file, in both formats, and reads what it prints.
func TestJSON(t *testing.T) {
	dir := t.TempDir()
	npy, csv, curve := filepath.Join(dir, "x.npy"), filepath.Join(dir, "x.csv"), filepath.Join(dir, "curve.csv")
	n := 2400
	samples := make([]float64, n)
	for i := range samples {
		samples[i] = math.Sin(2 * math.Pi * 467321.36 / 5e6 * float64(i))
	}
	if err := data.WriteArray(nil, npy, samples, n); err != nil {
		t.Fatal(err)
	}
	if err := data.Write(nil, csv, &data.Table[float64]{Rows: n, Cols: 1, Data: samples}); err != nil {
		t.Fatal(err)
	}
	var first map[string]any
	for _, name := range []string{npy, csv} {
		from, to := 460000.0, 473000.0
		out, notes, err := runCommand(t, usual(func(c *Command) {
			c.Signal, c.Code, c.Rate, c.From, c.To, c.Step, c.JSON = name, "c44b", 5e6, &from, &to, 0.5, true
			c.Curve, c.Plot = curve, filepath.Join(dir, "f.svg")
		}))
		if err != nil || notes != "" {
			t.Fatal(err, notes)
		}
		var got map[string]any
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatal(err)
		}
		if got["nodes"] != 26001. || got["position"] != 14643. || got["argument"] != 467321.5 || got["nans"] != 0. ||
			math.Abs(got["frequency"].(float64)-467321.36) > 1e-5 || got["method"] != "series" ||
			got["device"] != "cpu" {
			t.Errorf("%s", out)
		}
		for _, key := range []string{"name", "seconds", "total_seconds"} {
			if got[key] == nil {
				t.Errorf("no %s in %s", key, out)
			}
			delete(got, key)
		}
		if first == nil {
			first = got
		}
		if diff := cmp.Diff(first, got); diff != "" {
			t.Error(diff)
		}
	}
	table, err := data.Read[float64](t.Context(), curve, data.Options{})
	if err != nil || table.Rows != 2001 || table.Row(0)[0] != 460000 || table.Row(2000)[0] != 473000 {
		t.Errorf("%v %+v", err, table)
	}
}

// TestReport prints what people read.
func TestReport(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		set  func(*Command)
		want []string
	}{
		{func(c *Command) { c.AsPrinted, c.Axis = true, "460000:10:1300" }, []string{
			"the signal of the paper, as printed: 2 400 samples, 1 300 nodes on cpu",
			"lowest F   0.001456572158 at 467320 Hz, position 732", "direct",
		}},
		{func(c *Command) { c.Axis, c.Precision = "460000:10:1300", "float32" }, []string{
			"float32    each F has an error of up to 0.044; in float64, F is ",
		}},
		{func(c *Command) { c.Axis, c.Precision = "0:1:3000", "float32" }, []string{
			"no value   4 NaN, 0 infinite", "float32    errors of F have no bound",
		}},
		{func(c *Command) { c.Axis, c.JSON = "0:1e-9:5", true }, []string{
			`"nodes":5,"position":-1,"argument":null,"value":null,"nans":5,"infinities":0,"frequency":null,`,
			`"interval":[null,null]`, "no value on the axis is finite",
		}},
		{func(c *Command) {
			c.Axis, c.Precision, c.Plot = "0:1e-9:5", "float32", filepath.Join(dir, "empty.svg")
		}, []string{"no value   5 NaN, 0 infinite"}},
		{func(c *Command) { c.Axis = "467000:1:5" }, []string{"F has no minimum near this node", "end of the axis"}},
	} {
		command := usual(func(command *Command) { command.Paper = true; c.set(command) })
		out, notes, err := runCommand(t, command)
		if nothing := strings.HasPrefix(command.Axis, "0:1e-9"); (err != nil) != nothing {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if text := out + notes + fmt.Sprint(err); !strings.Contains(text, want) {
				t.Errorf("no %q in %s", want, text)
			}
		}
	}
}
