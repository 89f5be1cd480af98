package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

func TestExitCode(t *testing.T) {
	plain := errors.New("plain")
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, ExitOK},
		{plain, ExitFailed},
		{InputError(nil), ExitOK},
		{InputError(plain), ExitInput},
		{fmt.Errorf("around: %w", InputErrorf("%d", 1)), ExitInput},
	} {
		if got := ExitCode(c.err); got != c.want {
			t.Errorf("ExitCode(%v) = %d, want %d", c.err, got, c.want)
		}
	}
	if !errors.Is(InputError(context.Canceled), context.Canceled) {
		t.Error("Bad hides what it marks")
	}
}

func TestFigures(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Duration(0), "0"},
		{Duration(1500), "1.5 µs"},
		{Duration(12345 * time.Microsecond), "12.3 ms"},
		{Duration(2 * time.Second), "2 s"},
		{Duration(2 * time.Hour), "2h0m0s"},
		{Bytes(0), "0"},
		{Bytes(999), "999 B"},
		{Bytes(1000), "0.977 KiB"},
		{Bytes(3 << 20), "3 MiB"},
		{Bytes(5 << 40), "5 TiB"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestFold(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"", ""},
		{"waiting", "waiting"},
		{"petal width (cm)", "petal\nwidth\n(cm)"},
		{"a b c d e f g h", "a b c d e\nf g h"},
		{"ClumpThickness", "Clump\nThickness"},
		{"UniformityOfCellShape", "Uniformi~\nOfCell\nShape"},
		{"one_very_long_name", "one_very~"},
		{"größter Durchmesser", "größter\nDurchmes~"},
		{"first second third fourth", "first\nsecond\nthird~"},
	} {
		if got := Fold(c.name, 9); got != c.want {
			t.Errorf("%q becomes %q, want %q", c.name, got, c.want)
		}
	}
}

func TestPhases(t *testing.T) {
	var p Phases
	p.Start("read")
	time.Sleep(2 * time.Millisecond)
	p.Start("write")
	p.Stop()
	if p.Time("read") < time.Millisecond || p.Time("none") != 0 {
		t.Errorf("%+v", p.done)
	}
	var b bytes.Buffer
	p.Fprint(&b)
	if lines := strings.Split(b.String(), "\n"); len(lines) != 5 || !strings.HasPrefix(lines[2], "read ") ||
		!strings.HasPrefix(lines[3], "write ") {
		t.Errorf("%s", b.String())
	}
}

func TestTerminal(t *testing.T) {
	f, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if (&Env{Stderr: f}).Terminal() {
		t.Error("a file is no terminal")
	}
}

func TestDevice(t *testing.T) {
	d, err := Device("cpu")
	if err != nil || d.ID() != "cpu" {
		t.Errorf("%v %v", d, err)
	}
	if _, err := Device("cpu:9"); ExitCode(err) != ExitInput {
		t.Errorf("cpu:9: %v", err)
	}
}

func TestDigits(t *testing.T) {
	for _, c := range []struct {
		n    int
		want string
	}{{0, "0"}, {-7, "-7"}, {-123, "-123"}, {1234, "1 234"}, {-1234567, "-1 234 567"}} {
		if got := Digits(c.n); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
