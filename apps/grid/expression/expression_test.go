package expression

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/skelgo/skelgo/math64"
)

func TestPrecedence(t *testing.T) {
	x, y, two, pi := 1.5, -0.7, 2.0, math.Pi
	for text, want := range map[string]float64{
		"(x-1)^2 + sin(y)": (x-1)*(x-1) + math64.Sin(y),
		"-x^2":             -(x * x),
		"2^-1":             0.5,
		"2^3^2":            512,
		"x**3":             x * x * x,
		"x^-2":             1 / (x * x),
		"x^0.5":            math64.Pow(x, 0.5),
		"x-y-1":            x - y - 1,
		"x/y/2":            x / y / 2,
		"x*-y":             x * -y,
		"--x":              x,
		"+x - +1":          x - 1,
		"2*pi*e":           two * pi * math.E,
		"1e3 + .5 + 2.":    1002.5,
		"pow(x, 2)*x1":     math64.Pow(x, 2) * x,
		"min(x, y, )":      math.NaN(),
		"max(x,y)+x2":      x + y,
		" x ^ 0 ":          1,
		"1/0":              math.Inf(1),
		"atan2(y,x)":       math64.Atan2(y, x),
	} {
		p, err := Parse(text)
		if math.IsNaN(want) {
			if err == nil {
				t.Errorf("%s was accepted", text)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if v := p.Eval([]float64{x, y}); v != want {
			t.Errorf("%s is %v, want %v", text, v, want)
		}
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "at the end: a number, a variable or a function is missing",
		"x+":                     "at the end: a number, a variable or a function is missing",
		"x)":                     `column 2, before ")": ")" is unexpected`,
		"(x":                     "at the end: a closing parenthesis is missing",
		"2x":                     `column 2, before "x": an operator is missing`,
		"x y":                    `column 3, before "`,
		"sin":                    "the function sin needs an argument",
		"sin(x,y)":               "sin takes 1 argument, not 2",
		"pow(x)":                 "pow takes 2 arguments, not 1",
		"foo(x)":                 `"foo" is not a function; available: abs`,
		"q":                      `"q" is not a variable`,
		"x0":                     `"x0" is not a variable`,
		"x9":                     `"x9" is not a variable`,
		"x01":                    `"x01" is not a variable`,
		"x % 2":                  `column 3, before "% 2": the character '%' has no meaning`,
		"1e999":                  "1e999 is too large for a float64",
		"..":                     `"." is not a number`,
		"ä + 1":                  `"ä" is not a variable`,
		"1 + ä":                  `column 5, before "ä": "ä" is not a variable`,
		"x^":                     "at the end: a number, a variable or a function is missing",
		"*x":                     `column 1, before "`,
		"sin()":                  `column 5, before "`,
		"1 +\n* 3":               `column 5, before "* 3": a number`,
		"2e + 1":                 `column 2, before "`,
		"xyz":                    `"xyz" is not a variable`,
		"(x)(y)":                 `column 4, before "`,
		"\xff":                   "has no meaning",
		"pow(x, y":               "a closing parenthesis is missing",
		"x ^ * 2":                `column 5, before "`,
		strings.Repeat("(", 300): "nested too deeply",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// drawn is a formula with the function that it stands for.
type drawn struct {
	text string
	eval func(x []float64) float64
}

// formulas draws formulas up to a depth.
func formulas(depth int) *rapid.Generator[drawn] {
	return rapid.Custom(func(t *rapid.T) drawn {
		kind := rapid.IntRange(0, 7).Draw(t, "kind")
		if depth == 0 {
			kind %= 2
		}
		sub := func() drawn { return formulas(depth-1).Draw(t, "operand") }
		switch kind {
		case 0:
			v := rapid.Float64Range(0, 100).Draw(t, "number")
			return drawn{fmt.Sprint(v), func([]float64) float64 { return v }}
		case 1:
			k := rapid.IntRange(0, 2).Draw(t, "variable")
			return drawn{fmt.Sprint("x", k+1), func(x []float64) float64 { return x[k] }}
		case 2:
			a := sub()
			return drawn{"-(" + a.text + ")", func(x []float64) float64 { return -a.eval(x) }}
		case 3:
			a := sub()
			return drawn{"sin(" + a.text + ")", func(x []float64) float64 { return math64.Sin(a.eval(x)) }}
		}
		a, b := sub(), sub()
		op := "+-*/"[kind-4]
		return drawn{"(" + a.text + ")" + string(op) + "(" + b.text + ")", func(x []float64) float64 {
			p, q := a.eval(x), b.eval(x)
			switch op {
			case '+':
				return p + q
			case '-':
				return p - q
			case '*':
				return p * q
			}
			return p / q
		}}
	})
}

// Programs and evaluators compute the bits of Go's operations.
func TestEval(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := formulas(4).Draw(t, "formula")
		p, err := Parse(f.text)
		if err != nil {
			t.Fatal(err)
		}
		n := rapid.IntRange(1, 2*chunk+3).Draw(t, "n")
		at := func(i int) []float64 { return []float64{float64(i) - 2, float64(i) / 8, 3} }
		dst := make([]float64, n)
		p.Evaluator(p.Result, nil).Eval(dst, func(step, lo int, x []float64) []float64 {
			for i := range x {
				x[i] = at(lo + i)[p.Steps[step].A]
			}
			return x
		})
		for i, v := range dst {
			want := f.eval(at(i))
			for _, got := range []float64{v, p.Eval(at(i))} {
				if math.Float64bits(got) != math.Float64bits(want) && !(math.IsNaN(got) && math.IsNaN(want)) {
					t.Fatalf("%s at %v is %v, want %v", f.text, at(i), got, want)
				}
			}
		}
	})
}

func TestEqualPartsOccurOnce(t *testing.T) {
	p, err := Parse("sin(x)*sin(x) + cos(2*3)*sin(x)^2 - y*0")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(p.Steps); n != 10 {
		t.Errorf("%d operations: %+v", n, p.Steps)
	}
	if p.Dim() != 2 {
		t.Errorf("%d variables", p.Dim())
	}
}

// FuzzParse checks that no text makes Parse panic, and that errors have a place in the text.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"(x-1)^2 + sin(y)", "-", "-)", "-foo", "-X^2+1", "--(", "-(-", "x^-", "2--", "+-", "atan2(-,x)",
		"1e400", "-1e-400",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse(text)
		if err == nil {
			p.Eval(make([]float64, MaxVariables))
			return
		}
		e := new(Error)
		if !errors.As(err, &e) || e.Message == "" || e.Offset < 0 || e.Offset > len(text) {
			t.Errorf("%q: error %#v", text, err)
		}
	})
}

// TestMinusBeforeErrors checks every formula of up to four characters in which a minus can
// precede an error.
func TestMinusBeforeErrors(t *testing.T) {
	var check func(text string, more int)
	check = func(text string, more int) {
		if _, err := Parse(text); err != nil && err.Error() == "" {
			t.Errorf("%q: no message", text)
		}
		for _, c := range "-+x1()^*,?" {
			if more > 0 {
				check(text+string(c), more-1)
			}
		}
	}
	check("-", 3)
}
