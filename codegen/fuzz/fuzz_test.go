package fuzz

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/opencl"
)

const perBatch = 50

// setting returns the value of an environment variable, or otherwise if it is
// not set.
func setting(t *testing.T, name string, otherwise int) int {
	s := os.Getenv(name)
	if s == "" {
		return otherwise
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		t.Fatalf("%s=%s is not a number", name, s)
	}
	return n
}

// mapText returns the text of the kernel map of package skel.
func mapText(t *testing.T) string {
	text, err := os.ReadFile("../../skel/kernels/map.cl")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func device(t *testing.T) driver.Device {
	t.Setenv("POCL_KERNEL_CACHE", "0") // no program is built twice
	devs, err := opencl.Driver{}.Devices()
	if err != nil {
		t.Fatal(err)
	}
	if len(devs) == 0 && strings.Contains(os.Getenv("SKEL_REQUIRE"), "opencl") {
		t.Fatal("SKEL_REQUIRE asks for OpenCL: ", opencl.Driver{}.Missing())
	}
	if len(devs) == 0 {
		t.Skip(opencl.Driver{}.Missing())
	}
	t.Cleanup(func() {
		for _, d := range devs {
			d.Close()
		}
	})
	return devs[0]
}

// TestReproducible checks that a seed always produces the same program.
func TestReproducible(t *testing.T) {
	for seed := range uint64(50) {
		if a, b := New(seed).Source, New(seed).Source; a != b {
			t.Fatalf("seed %d gives two programs:\n%s\nand\n%s", seed, a, b)
		}
	}
}

func TestGoAgainstDevice(t *testing.T) {
	n := setting(t, "SKEL_FUZZ", 100)
	seed := uint64(setting(t, "SKEL_FUZZ_SEED", 1))
	dev := device(t)
	for done := 0; done < n; done += perBatch {
		compare(t, dev, NewBatch(mapText(t), seed+uint64(done), min(perBatch, n-done)))
		if t.Failed() {
			return
		}
	}
}

// TestFindsBrokenPromise tells the compiler that the iterations of the map's
// loop are independent, which is wrong if a function has a local array, and
// checks that the fuzzer detects it soon.
func TestFindsBrokenPromise(t *testing.T) {
	const loop = "\tfor (i64 i = lo; i < hi; i++)\n\t\tout[i] ="
	text := mapText(t)
	if !strings.Contains(text, loop) {
		t.Fatalf("the kernel map has no loop %q", loop)
	}
	const seed = 81 // two of these programs differ; of the first 140, six do
	b := NewBatch(strings.Replace(text, loop, "#pragma clang loop vectorize(assume_safety)\n"+loop, 1), seed, 20)
	_, diffs, _, err := b.Run(device(t), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if len(diffs) == 0 {
		t.Error("no program differs")
	}
	for _, d := range diffs {
		t.Logf("seed %d differs", b.Programs[d.Program].Seed)
	}
}

// compare runs a batch on both sides and shows the first program whose results
// differ.
func compare(t *testing.T, dev driver.Device, b *Batch) {
	t.Helper()
	dir := t.TempDir()
	_, diffs, refused, err := b.Run(dev, dir)
	for _, err := range refused {
		t.Error(err)
	}
	if err != nil {
		t.Fatalf("seed %d: %v", b.Programs[0].Seed, err)
	}
	for _, d := range diffs {
		t.Errorf("seed %d differs", b.Programs[d.Program].Seed)
	}
	if len(diffs) == 0 {
		return
	}
	b, d, forms := b.Shrink(dev, dir, diffs[0])
	p, f := b.Programs[d.Program], forms[d.Program]
	var c strings.Builder
	for _, decl := range f.Decls {
		c.WriteString(decl.C + "\n")
	}
	t.Errorf("seed %d, reduced: sample %d differs at %s: Go has %s, the device %s\narguments:\n%s\nGo:\n%s\nC:\n%s",
		p.Seed, d.Sample, d.Where, d.Go, d.C, b.Arguments(d), p.Source, c.String())
}
