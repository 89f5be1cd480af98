package main

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
)

// TestMoments reads a file that is larger than the memory that the program may use.
func TestMoments(t *testing.T) {
	x := make([]float32, 1<<20)
	sum, squares := 0.0, 0.0
	for i := range x {
		x[i] = float32(i%1000) / 8
		sum += float64(x[i])
		squares += float64(x[i]) * float64(x[i])
	}
	file := filepath.Join(t.TempDir(), "numbers")
	if err := os.WriteFile(file, devices.Bytes(x), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SKEL_MEMORY", "1MiB")
	n := float64(len(x))
	want := math.Sqrt(squares/n - sum/n*sum/n)
	var first float64
	for _, d := range devicestest.All(t) {
		devices.SetDefaults(d)
		mean, deviation, err := moments(file)
		devices.SetDefaults()
		switch {
		case err != nil:
			t.Fatal(err)
		case mean != sum/n || math.Abs(deviation-want) > 1e-9:
			t.Errorf("%v: mean %v, deviation %v; want %v, %v", d, mean, deviation, sum/n, want)
		case first != 0 && deviation != first:
			t.Errorf("%v: %v, another device has found %v", d, deviation, first)
		}
		first = deviation
	}
}
