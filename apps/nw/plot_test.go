package nw

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/skelgo/skelgo/apps/internal/plot"
	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/internal/oracle"
	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/apps/nw/subst"
)

// drawn returns the picture of a pair of proteins.
func drawn(t *testing.T, a, b string) *picture {
	t.Helper()
	m, err := subst.Lookup("BLOSUM62")
	if err != nil {
		t.Fatal(err)
	}
	both := records(a, b)
	p, s := seq.Pair{A: &both[0], B: &both[1]}, align.Scoring{Matrix: m, Open: 3, Extend: 3, Mode: align.Global}
	found := &picture{Alignment: oracle.Align(p, s, oracle.Default), grid: grid{rows: len(a), cols: len(b)}}
	for _, score := range oracle.Scores(p, s) {
		found.scores = append(found.scores, int32(score))
	}
	return found
}

func TestPlot(t *testing.T) {
	p := drawn(t, "SYEDVV", "NYCDV")
	dir := t.TempDir()
	for _, name := range []string{"small.png", "small.svg"} {
		if err := p.save(nil, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "small.svg"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"score 11, 50.0% of 6 columns identical", "s (6 letters)", ">-14<", ">14<"} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("the picture does not say %q", want)
		}
	}
	img := decoded(t, filepath.Join(dir, "small.png"))
	if width, height := img.Bounds().Dx(), img.Bounds().Dy(); width < 900 || height < 900 {
		t.Errorf("%d x %d pixels", width, height)
	}
	for _, c := range []color.NRGBA{plot.Viridis(0), plot.Viridis(1)} {
		if !holds(img, c) {
			t.Errorf("the colour %v of the lowest or highest score is not in the picture", c)
		}
	}
}

// TestPlotPath draws pairs that are too long for a matrix or have no path.
func TestPlotPath(t *testing.T) {
	name := filepath.Join(t.TempDir(), "path.png")
	p := drawn(t, "SYEDVV", "NYCDV")
	p.scores = nil
	if err := p.save(nil, name); err != nil {
		t.Fatal(err)
	}
	if img := decoded(t, name); holds(img, plot.Viridis(0)) {
		t.Error("there is a matrix in the picture")
	}
	p = drawn(t, "SYEDVV", "NYCDV")
	p.Path = nil
	if err := p.save(nil, name); err != nil {
		t.Fatal(err)
	}
	one := drawn(t, "W", "W") // one cell, one score
	if err := one.save(nil, name); err != nil {
		t.Fatal(err)
	}
}

func decoded(t *testing.T, name string) image.Image {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func holds(img image.Image, c color.NRGBA) bool {
	r, g, b, _ := c.RGBA()
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if cr, cg, cb, _ := img.At(x, y).RGBA(); cr == r && cg == g && cb == b {
				return true
			}
		}
	}
	return false
}

// TestHeat checks the pixels of a matrix with more cells than pixels.
func TestHeat(t *testing.T) {
	const rows, cols = 2*pixels + 1, 3
	p := &picture{grid: grid{make([]int32, rows*cols), rows, cols}}
	p.scores[(rows-1)*cols+cols-1] = 10
	p.scores[4*cols+1] = 5 // the highest score of its square
	img := p.heat(0, 10)
	if size := img.Bounds().Size(); size != image.Pt(1, 801) {
		t.Fatalf("%v pixels", size)
	}
	for _, c := range []struct {
		y    int
		want float64
	}{{0, 0}, {1, 0.5}, {2, 0}, {800, 1}} {
		if got := img.At(0, c.y); got != plot.Viridis(c.want) {
			t.Errorf("pixel %d is %v", c.y, got)
		}
	}
}

func TestLine(t *testing.T) {
	path, err := align.ParseCigar("3=2D1X4I")
	if err != nil {
		t.Fatal(err)
	}
	p := &picture{Alignment: &align.Alignment{Path: path, StartA: 1, StartB: 2}}
	want := [][2]float64{{2, 1}, {5, 4}, {5, 6}, {6, 7}, {10, 7}}
	got := p.line()
	if len(got) != len(want) {
		t.Fatalf("%v, want %v", got, want)
	}
	for i := range want {
		if got[i].X != want[i][0] || got[i].Y != want[i][1] {
			t.Errorf("point %d is %v, want %v", i, got[i], want[i])
		}
	}
	var long align.Cigar
	for range 1_000_000 {
		long.Add(align.Match, 1)
		long.Add(align.Insert, 1)
	}
	p = &picture{Alignment: &align.Alignment{Path: long}}
	thinned := p.line()
	if n := len(thinned); n > 5000 || thinned[n-1].X != 2_000_000 || thinned[n-1].Y != 1_000_000 {
		t.Errorf("%d points, the last %v", n, thinned[n-1])
	}
}

func TestSides(t *testing.T) {
	for _, c := range []struct{ cols, rows int }{{100, 100}, {100, 50}, {1, 1000000}} {
		width, height := sides(c.cols, c.rows)
		if max(width, height) != longestSide || min(width, height) < shortestSide {
			t.Errorf("%d x %d: %v x %v", c.cols, c.rows, width, height)
		}
	}
}
