package skel_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
)

// Package skeltest compares small dense matrices with formulas, bit by bit. These tests compare
// them with gonum, and verify what the formulas are for.

// drawMatrix returns a matrix whose columns differ in scale.
func drawMatrix(t *rapid.T, rows, cols int) *mat.Dense {
	scale := make([]float64, cols)
	for j := range scale {
		scale[j] = math.Ldexp(1, rapid.IntRange(-12, 12).Draw(t, "scale"))
	}
	m := mat.NewDense(rows, cols, nil)
	elements := rapid.SliceOfN(rapid.IntRange(-1000, 1000), rows*cols, rows*cols).Draw(t, "elements")
	for at, x := range elements {
		m.Set(at/cols, at%cols, float64(x)/999*scale[at%cols])
	}
	return m
}

// hosted returns the elements of a matrix as gonum's.
func hosted(t *rapid.T, m *matrix.Matrix[float64]) *mat.Dense {
	defer m.Free()
	s, err := m.Host()
	if err != nil {
		t.Fatal(err)
	}
	return mat.NewDense(m.Rows(), m.Cols(), s)
}

// upload copies a matrix to the default device.
func upload(m *mat.Dense) *matrix.Matrix[float64] {
	rows, cols := m.Dims()
	return matrix.From(rows, cols, m.RawMatrix().Data)
}

// expectClose checks that two matrices are equal but for an error per unit of their rows' and
// columns' scales, which are the square roots of the diagonal of like.
func expectClose(t *rapid.T, what string, got, want, like mat.Matrix, tolerance float64) {
	rows, cols := want.Dims()
	for i := range rows {
		for j := range cols {
			scale := math.Sqrt(like.At(i, i)) * math.Sqrt(like.At(j, j))
			if diff := math.Abs(got.At(i, j) - want.At(i, j)); !(diff <= tolerance*scale) {
				t.Fatalf("%s: element (%d, %d) = %v, want %v, which differs by %.3g of the scale, at most %.3g",
					what, i, j, got.At(i, j), want.At(i, j), diff/scale, tolerance)
			}
		}
	}
}

const unit = 0x1p-53 // of float64

func TestCholeskyAgainstGonum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.IntRange(1, 20).Draw(t, "p")
		m := drawMatrix(t, 2*p, p)
		var a mat.Dense
		a.Mul(m.T(), m)
		for i := range p {
			a.Set(i, i, a.At(i, i)*1.125) // well away from singular, but for scales
			if a.At(i, i) == 0 {
				a.Set(i, i, 1)
			}
		}
		d := upload(&a)
		defer d.Free()
		factor := skel.Cholesky(d)
		inverse := hosted(t, skel.InverseLower(factor))
		l := hosted(t, factor)
		var product, one mat.Dense
		product.Mul(l, l.T())
		expectClose(t, "LL'", &product, &a, &a, float64(4*p)*unit)
		var c mat.Cholesky
		if !c.Factorize(mat.NewSymDense(p, a.RawMatrix().Data)) {
			t.Fatal("gonum finds no factor")
		}
		var want mat.TriDense
		c.LTo(&want)
		identity := mat.NewDiagDense(p, nil)
		for i := range p {
			identity.SetDiag(i, 1)
		}
		for i := range p {
			for j := range i + 1 {
				if diff := math.Abs(l.At(i, j) - want.At(i, j)); diff > 1e-12*math.Sqrt(a.At(i, i)) {
					t.Fatalf("L(%d, %d) = %v, gonum's is %v", i, j, l.At(i, j), want.At(i, j))
				}
			}
		}
		one.Mul(inverse, l)
		for i := range p {
			for j := range p {
				// (L^-1 L)(i, j) has the scale of column j of L, and of row i of the inverse.
				scale := mat.Norm(inverse.Slice(i, i+1, 0, p), 2) * mat.Norm(l.Slice(0, p, j, j+1), 2)
				if diff := math.Abs(one.At(i, j) - identity.At(i, j)); diff > float64(8*p)*unit*(1+scale) {
					t.Fatalf("(inverse L)(%d, %d) = %v", i, j, one.At(i, j))
				}
			}
		}
	})
}

// expectR checks R of a: it is triangular, has a diagonal that is not negative, and R'R = A'A but
// for rounding, relative to the lengths of the columns.
func expectR(t *rapid.T, r, a *mat.Dense, tolerance float64) {
	p, _ := r.Dims()
	for i := range p {
		if r.At(i, i) < 0 {
			t.Fatalf("R(%d, %d) = %v is negative", i, i, r.At(i, i))
		}
		for j := range i {
			if r.At(i, j) != 0 {
				t.Fatalf("R(%d, %d) = %v below the diagonal", i, j, r.At(i, j))
			}
		}
	}
	var got, want mat.Dense
	got.Mul(r.T(), r)
	want.Mul(a.T(), a)
	expectClose(t, "R'R", &got, &want, &want, tolerance)
}

func TestFactorRAgainstGonum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.IntRange(1, 12).Draw(t, "p")
		rows := rapid.IntRange(p, 300).Draw(t, "rows")
		a := drawMatrix(t, 8, p)
		tall := mat.NewDense(rows, p, nil)
		for i := range rows { // few random numbers for many rows
			for j := range p {
				tall.Set(i, j, a.At(i%8, j)*math.Sin(float64(i*p+j)))
			}
		}
		d := upload(tall)
		defer d.Free()
		tree, one := hosted(t, skel.TSQR(d)), hosted(t, skel.FactorR(d, rows))
		expectR(t, tree, tall, float64(32*p)*unit)
		expectR(t, one, tall, float64(32*p)*unit)
		var svd, want mat.SVD
		if !svd.Factorize(tree, mat.SVDNone) || !want.Factorize(tall, mat.SVDNone) {
			t.Fatal("no singular values")
		}
		values, expected := svd.Values(nil), want.Values(nil)
		for i := range values {
			if diff := math.Abs(values[i] - expected[i]); diff > float64(32*p)*unit*expected[0] {
				t.Fatalf("singular value %d = %v, gonum's is %v", i, values[i], expected[i])
			}
		}
	})
}

func TestEigenSymAgainstGonum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.IntRange(1, 20).Draw(t, "p")
		m := drawMatrix(t, p, p)
		a := mat.NewSymDense(p, nil)
		for i := range p {
			for j := range i + 1 {
				a.SetSym(i, j, m.At(i, j))
			}
		}
		full := mat.DenseCopyOf(a)
		d := upload(full)
		defer d.Free()
		e, x := skel.EigenSym(d)
		values, v := hosted(t, e), hosted(t, x)
		var want mat.EigenSym
		if !want.Factorize(a, false) {
			t.Fatal("gonum finds no eigenvalues")
		}
		size := mat.Norm(a, 2)
		for i, w := range want.Values(nil) {
			if diff := math.Abs(values.At(0, p-1-i) - w); diff > float64(8*p)*unit*size {
				t.Fatalf("eigenvalue %v, gonum's is %v", values.At(0, p-1-i), w)
			}
		}
		var product, left, right mat.Dense
		product.Mul(v.T(), v)
		left.Mul(full, v)
		right.Mul(v, mat.NewDiagDense(p, values.RawRowView(0)))
		for i := range p {
			for j := range p {
				one := 0.0
				if i == j {
					one = 1
				}
				if diff := math.Abs(product.At(i, j) - one); diff > float64(16*p)*unit {
					t.Fatalf("V'V(%d, %d) = %v", i, j, product.At(i, j))
				}
				if diff := math.Abs(left.At(i, j) - right.At(i, j)); diff > float64(16*p)*unit*size {
					t.Fatalf("AV(%d, %d) = %v, VE = %v", i, j, left.At(i, j), right.At(i, j))
				}
			}
		}
	})
}
