package bench

import (
	"bytes"
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
)

var elements = flag.Int("elements", 1<<20, "length of the benchmarks' vectors")

func TestSame(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, n := range []int{1, 15, 4096, 100_003} {
			tasks, free, err := Tasks(d, n)
			if err != nil {
				t.Fatal(err)
			}
			for _, task := range tasks {
				if err := task.Check(); err != nil {
					t.Errorf("n=%d: %v", n, err)
				}
			}
			free()
		}
	})
}

func TestMeasure(t *testing.T) {
	order := ""
	run := func(s string, d time.Duration) func() error {
		return func() error { order += s; time.Sleep(d); return nil }
	}
	task := Task{"Map", 1e6, []Case{
		{Impl: "skelgo", Run: run("a", 8*time.Millisecond)},
		{Impl: "hand", Run: run("b", 10*time.Millisecond)},
		{Impl: "hand16", Run: run("c", 2*time.Millisecond)},
	}}
	row, err := Measure("cpu", task, 2)
	if err != nil || order != "abcabcabc" {
		t.Fatalf("%v, order %s", err, order)
	}
	if r := row.Ratio(2); r > 0.9 {
		t.Errorf("the ratio to hand16 is %v", r)
	}
	row.Medians = []time.Duration{8e6, 10e6, 2e6}
	var out bytes.Buffer
	Fprint(&out, []Row{row})
	want := "| cpu | Map | 8.00 ms (0.1 GB/s) | hand | 10.00 ms (0.1 GB/s) | 1.25 |\n" +
		"| cpu | Map | 8.00 ms (0.1 GB/s) | hand16 | 2.00 ms (0.5 GB/s) | 0.25 |\n"
	if !strings.HasSuffix(out.String(), want) {
		t.Errorf("printed\n%s", out.String())
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		times []time.Duration
		want  time.Duration
	}{{[]time.Duration{3}, 3}, {[]time.Duration{9, 1}, 5}, {[]time.Duration{9, 1, 2}, 2}} {
		if got := Median(c.times); got != c.want {
			t.Errorf("Median(%v) = %v", c.times, got)
		}
	}
}

func BenchmarkMap(b *testing.B)    { benchmark(b, "Map") }
func BenchmarkZip(b *testing.B)    { benchmark(b, "Zip") }
func BenchmarkReduce(b *testing.B) { benchmark(b, "Reduce") }
func BenchmarkScan(b *testing.B)   { benchmark(b, "Scan") }
func BenchmarkDot(b *testing.B)    { benchmark(b, "Dot") }

// benchmark runs the cases of one task on every device.
func benchmark(b *testing.B, name string) {
	for _, d := range devicestest.All(b) {
		tasks, free, err := Tasks(d, *elements)
		if err != nil {
			b.Fatal(err)
		}
		for _, task := range tasks {
			if task.Name != name {
				continue
			}
			for _, c := range task.Cases {
				b.Run(fmt.Sprintf("device=%s/n=%d/impl=%s", d, *elements, c.Impl), func(b *testing.B) {
					b.SetBytes(task.Bytes)
					for b.Loop() {
						if err := c.Run(); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
		free()
	}
}
