package figure

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

func TestSave(t *testing.T) {
	f := New("a title", "x", "y")
	f.Add(Grid())
	paint := func(c draw.Canvas) error {
		f.Draw(c)
		return nil
	}
	for _, ext := range []string{".png", ".SVG"} {
		name := filepath.Join(t.TempDir(), "plot"+ext)
		if err := Save(name, 16*vg.Centimeter, 8*vg.Centimeter, paint); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if ext == ".SVG" {
			if !bytes.Contains(b, []byte("<svg")) || !bytes.Contains(b, []byte("a title")) {
				t.Error("this is no svg with a title")
			}
		} else if img, err := png.Decode(bytes.NewReader(b)); err != nil || img.Bounds().Dx() != 1008 {
			t.Errorf("%v, %v", img.Bounds(), err)
		}
	}
}

func TestCheck(t *testing.T) {
	if Check("a.gif") == nil || Check("a") == nil || Check("a.PNG") != nil || Check("") != nil {
		t.Error("Check")
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
