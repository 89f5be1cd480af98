package pairs

import (
	"fmt"
	"math"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
)

// tall returns rows of p columns whose lengths differ by many orders of magnitude, among them columns of zeros
// and columns that depend on others. Some blocks of 100 rows have a NaN or an infinity.
func tall[T skel.Float](rows, p int) []T {
	a := kit.Generate(rows*p, func(d *kit.Dice, at int) T {
		x := d.Float64() - 0.5
		switch j := at % p; j % 9 {
		case 2:
			return 0
		case 4:
			return T(math.Ldexp(x, -80))
		case 5:
			return T(math.Ldexp(x, 60))
		default:
			return T(math.Ldexp(x, j%13))
		}
	})
	for i := range rows {
		switch row := a[i*p : (i+1)*p]; {
		case p > 7 && i/100%3 == 1:
			row[7] = row[0] + row[1]
		case p > 3 && i == 210:
			row[3] = T(math.NaN())
		case p > 3 && i == 530:
			row[3] = T(math.Inf(-1))
		}
	}
	return a
}

// testFactorR computes triangular factors of blocks of rows.
func testFactorR[T skel.Float](t *testing.T, d *devices.Device) {
	shapes := [][3]int{{0, 5, 3}, {4, 2, 0}, {1, 1, 1}, {7, 1000, 2}, {7, 3, 2}, {1000, 300, 3}, {260, 100, 31},
		{600, 200, 33}, {130, 200, 64}, {64, 64, 64}, {70, 30, 5}, {130, 130, 100}, {260, 250, 128}, {140, 135, 130}}
	if kit.Emulated(d) || kit.Several(d) {
		shapes = [][3]int{{0, 5, 3}, {4, 2, 0}, {7, 3, 2}, {600, 200, 9}, {70, 30, 5}, {64, 64, 6},
			{130, 130, 128}, {3, 2, 130}}
	}
	if kit.Fewest(d) {
		shapes = [][3]int{{0, 5, 3}, {600, 200, 9}, {140, 135, 65}}
	}
	for _, s := range shapes {
		rows, block, p := s[0], s[1], s[2]
		t.Run(fmt.Sprint(rows, "by", block, "of", p), func(t *testing.T) {
			a := tall[T](rows, p)
			var want []T
			for at := 0; at < rows; at += block {
				want = append(want, factorROf(a[at*p:min(at+block, rows)*p], p)...)
			}
			got := skel.FactorR(kit.PutMatrix(t, d, rows, p, a), block)
			kit.ExpectMatrix(t, got, (rows+block-1)/block*p, p, want)
		})
	}
	shapes = [][3]int{{0, 3}, {2, 5}, {1500, 1}, {3000, 3}, {1500, 40}}
	if kit.Fewest(d) || kit.Emulated(d) {
		shapes = [][3]int{{0, 9}, {1500, 9}}
	}
	for _, s := range shapes {
		rows, p := s[0], s[1]
		t.Run(fmt.Sprint("TSQR of ", rows, "x", p), func(t *testing.T) {
			a := tall[T](rows, p)
			kit.ExpectMatrix(t, skel.TSQR(kit.PutMatrix(t, d, rows, p, a)), p, p, tsqrOf(a, rows, p))
		})
	}
}

// factorRExpressions factorizes pending expressions, also in a loop.
func factorRExpressions(t *testing.T, d *devices.Device) {
	const rows, p = 700, 12
	a, w := kit.Floats(rows*p), kit.Floats(p)
	sum := make([]float32, len(a))
	for i := range sum {
		sum[i] = a[i] + w[i%p]
	}
	x, y := kit.PutMatrix(t, d, rows, p, a), kit.Put(t, d, w)
	want := tsqrOf(sum, rows, p)
	kit.ExpectMatrix(t, skel.TSQR(crossWeights.ApplyMatrix(x, matrix.RepeatRow(y, rows))), p, p, want)
	var r *matrix.Matrix[float32]
	loop, err := skel.Record(func() error {
		r = skel.TSQR(crossWeights.ApplyMatrix(x, matrix.RepeatRow(y, rows)))
		return r.Err()
	})
	kit.OK(t, err)
	defer loop.Close()
	kit.OK(t, loop.Run(2))
	kit.ExpectMatrix(t, r, p, p, want)
}

// testQR checks that Q has orthonormal columns and that QR is the matrix, also if its columns have very different
// lengths or almost depend on each other.
func testQR[T skel.Float](t *testing.T, d *devices.Device) {
	eps := 0x1p-52
	if driver.SizeOf[T]() == 4 {
		eps = 0x1p-23
	}
	shapes := [][2]int{{5, 0}, {1, 1}, {3, 3}, {1000, 4}, {3000, 33}}
	if kit.Fewest(d) || kit.Emulated(d) || kit.Several(d) {
		shapes = [][2]int{{3, 3}, {1000, 4}}
	}
	for _, s := range shapes {
		rows, p := s[0], s[1]
		t.Run(fmt.Sprint(rows, "x", p), func(t *testing.T) {
			a := kit.Generate(rows*p, func(d *kit.Dice, at int) T { return T(math.Ldexp(d.Float64()-0.5, at%p*7%40)) })
			if p > 2 {
				for i := range rows { // differs from the sum of two others by a ten thousandth of them
					a[i*p+2] = a[i*p] + a[i*p+1] + a[i*p+2]*T(1e-4)
				}
			}
			q, r := skel.QR(kit.PutMatrix(t, d, rows, p, a))
			hq, hr := kit.HostOf(t, q.Vector()), kit.HostOf(t, r.Vector())
			if len(hq) != rows*p || len(hr) != p*p {
				t.Fatalf("Q has %d elements and R %d", len(hq), len(hr))
			}
			bound := 20 * eps * float64(p+1)
			for j := range p {
				for k := range p {
					got, want := dot(columnOf(hq, p, j), columnOf(hq, p, k)), 0.0
					if j == k {
						want = 1
					}
					if !(math.Abs(got-want) <= bound) {
						t.Fatalf("columns %d and %d of Q have the product %g, want %g", j, k, got, want)
					}
					if k < j && hr[j*p+k] != 0 || hr[j*p+j] < 0 {
						t.Fatalf("R is no upper triangle: %v", hr)
					}
				}
				x, r := columnOf(a, p, j), columnOf(hr, p, j)
				for i := range rows {
					sum := 0.0
					for k := range p {
						sum += float64(hq[i*p+k]) * r[k]
					}
					if !(math.Abs(sum-x[i]) <= bound*math.Sqrt(dot(x, x))) {
						t.Fatalf("element (%d, %d) of QR is %g, want %g", i, j, sum, x[i])
					}
				}
			}
		})
	}
}

// columnOf returns column j of a matrix of p columns.
func columnOf[T skel.Float](a []T, p, j int) (x []float64) {
	for ; j < len(a); j += p {
		x = append(x, float64(a[j]))
	}
	return x
}

func dot(x, y []float64) (sum float64) {
	for i := range x {
		sum += x[i] * y[i]
	}
	return sum
}
