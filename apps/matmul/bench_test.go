package matmul_test

import (
	"fmt"
	"testing"

	"github.com/skelgo/skelgo/apps/internal/baseline"
	"github.com/skelgo/skelgo/apps/matmul"
	raw "github.com/skelgo/skelgo/apps/matmul/baseline"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/math32"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// BenchmarkProduct measures skelgo, the hand-written OpenCL version, and blocked loops in
// Go.
func BenchmarkProduct(b *testing.B) {
	const n = 512
	x, y := make([]float32, n*n), make([]float32, n*n)
	for i := range x {
		x[i], y[i] = float32(i%1000)/1000-0.5, float32(i%777)/777-0.5
	}
	speed := func(b *testing.B) {
		b.ReportMetric(2*n*n*n*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
	}
	for _, d := range devicestest.All(b) {
		p, q := matrix.From(n, n, x, vector.Single(d)), matrix.From(n, n, y, vector.Single(d))
		if err := matmul.Product(p, q).Wait(); err != nil { // builds the kernel
			b.Fatal(err)
		}
		b.Run(fmt.Sprint("device=", d.ID()), func(b *testing.B) {
			for b.Loop() {
				r := matmul.Product(p, q)
				if err := r.Wait(); err != nil {
					b.Fatal(err)
				}
				r.Free()
			}
			speed(b)
		})
	}
	for name, f := range map[string]func(z, x, y []float32, n int){"loop": blocked, "loop-plain": plain} {
		b.Run(name, func(b *testing.B) {
			z := make([]float32, n*n)
			for b.Loop() {
				f(z, x, y, n)
			}
			speed(b)
		})
	}
	b.Run("raw", func(b *testing.B) {
		baseline.RequireOpenCL(b)
		p, err := raw.Open(0)
		if err != nil {
			b.Fatal(err)
		}
		defer p.Close()
		if err := p.Build(); err != nil {
			b.Fatal(err)
		}
		if err := p.Upload(x, y, n, n, n); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if err := p.Run(); err != nil {
				b.Fatal(err)
			}
		}
		speed(b)
	})
}

// blocked computes a product of square matrices on one core, 64 rows of y and 256 columns
// at a time.
func blocked(z, x, y []float32, n int) {
	clear(z)
	for j := 0; j < n; j += 256 {
		for k := 0; k < n; k += 64 {
			for i := range n {
				row := z[i*n+j : i*n+j+256]
				for l := k; l < k+64; l += 2 {
					a, b := x[i*n+l], x[i*n+l+1]
					p, q := y[l*n+j:][:len(row)], y[(l+1)*n+j:][:len(row)]
					for c := range row {
						row[c] = math32.FMA(b, q[c], math32.FMA(a, p[c], row[c]))
					}
				}
			}
		}
	}
}

// plain is blocked without fused multiply-adds.
func plain(z, x, y []float32, n int) {
	clear(z)
	for j := 0; j < n; j += 256 {
		for k := 0; k < n; k += 64 {
			for i := range n {
				row := z[i*n+j : i*n+j+256]
				for l := k; l < k+64; l += 2 {
					a, b := x[i*n+l], x[i*n+l+1]
					p, q := y[l*n+j:][:len(row)], y[(l+1)*n+j:][:len(row)]
					for c := range row {
						row[c] = row[c] + float32(a*p[c]) + float32(b*q[c])
					}
				}
			}
		}
	}
}
