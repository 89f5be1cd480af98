package frequency_test

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/skelgo/skelgo/apps/grid/frequency"
	"github.com/skelgo/skelgo/apps/internal/app"
)

// The axis of the paper, in steps of 10 Hz. The frequency is found between the nodes.
func ExampleMinimize() {
	r, err := frequency.Minimize(context.Background(), frequency.Paper(false), frequency.Options{
		From: 460000, Step: 10, Count: 1300,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("position %d, %.0f Hz, F = %.6f\n", r.Position, r.Argument, r.Value)
	fmt.Printf("%.3f Hz\n", r.Estimate.Frequency)
	// Output:
	// position 732, 467320 Hz, F = 0.001623
	// 467321.360 Hz
}

// interfered returns 800 samples of a signal that is coded by 8 bits, with a carrier of 100 Hz and
// another oscillation of 123 Hz, and some hum that stands for noise.
func interfered(code frequency.Code) []float64 {
	x := make([]float64, 800)
	for i := range x {
		t := 2 * math.Pi * float64(i) / 1000
		x[i] = 3 * math.Cos(100*t+1)
		if !code[i/100] {
			x[i] = -x[i]
		}
		x[i] += 0.5*math.Sin(123*t) + 0.01*math.Sin(350*t)
	}
	return x
}

func ExampleNew() {
	code, err := frequency.ParseCode("C4")
	if err != nil {
		fmt.Println(err)
		return
	}
	signal, err := frequency.New(interfered(code), code, 100, 1000)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := frequency.Minimize(context.Background(), signal, frequency.Options{From: 110, Step: 0.001, Count: 30_001})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f Hz, %s\n", r.Argument, r.Method)
	// Output: 123.00 Hz, series
}

func ExampleCode() {
	code, err := frequency.ParseCode("C4")
	fmt.Println(code, err)
	_, err = frequency.ParseCode("C4G")
	fmt.Println(err)
	// Output:
	// [true true false false false true false false] <nil>
	// code "C4G": "G" is not a hexadecimal digit
}

// Any images can be given, not only coded carriers.
func ExampleSignal() {
	s := &frequency.Signal{Turn: 2 * math.Pi / 100} // 100 samples a second
	for i := range 50 {
		t := float64(i) / 100
		s.Cos, s.Sin = append(s.Cos, 1), append(s.Sin, t) // a level and a slope
		s.Samples = append(s.Samples, 7-t+math.Cos(2*math.Pi*12.5*t))
	}
	r, err := frequency.Minimize(context.Background(), s, frequency.Options{From: 5, Step: 0.5, Count: 40})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Argument, "Hz")
	// Output: 12.5 Hz
}

// In float32, values near the minimum are rounding errors, and the bound says so.
func ExampleOptions() {
	o := frequency.Options{From: 467000, Step: 0.01, Count: 60_000, Float32: true}
	r, err := frequency.Minimize(context.Background(), frequency.Paper(false), o)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("found to 1 Hz: %v, to 0.01 Hz: %v\n", math.Abs(r.Argument-467321.36) < 1, r.Position == 32136)
	fmt.Printf("errors of F up to %.2f\n", r.ErrorBound)
	// Output:
	// found to 1 Hz: true, to 0.01 Hz: false
	// errors of F up to 0.04
}

// The methods agree up to rounding.
func ExampleMethod() {
	for _, method := range []frequency.Method{frequency.Direct, frequency.Series} {
		r, err := frequency.Minimize(context.Background(), frequency.Paper(false), frequency.Options{
			From: 467000, Step: 1, Count: 1000, Method: method,
		})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: position %d, F = %.9f\n", method, r.Position, r.Value)
	}
	// Output:
	// direct: position 321, F = 0.000113716
	// series: position 321, F = 0.000113716
}

// At frequency 0 the sine is 0, and the equations are singular.
func ExampleResult() {
	o := frequency.Options{Step: 100, Count: 5000}
	r, err := frequency.Minimize(context.Background(), frequency.Paper(false), o)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("position %d of %d, %d NaN\n", r.Position, r.Nodes, r.NaNs)
	// Output: position 4673 of 5000, 1 NaN
}

// The interval follows from the noise that remains.
func ExampleEstimate() {
	code, err := frequency.ParseCode("C4")
	if err != nil {
		fmt.Println(err)
		return
	}
	signal, err := frequency.New(interfered(code), code, 100, 1000)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := frequency.Minimize(context.Background(), signal, frequency.Options{From: 110, Step: 1, Count: 30})
	if err != nil {
		fmt.Println(err)
		return
	}
	e := r.Estimate
	fmt.Printf("%.4f Hz, %.0f%% from %.3f to %.3f Hz, noise %.3f\n", e.Frequency, 100*e.Level, e.Low, e.High, e.Noise)
	// Output: 123.0000 Hz, 95% from 122.999 to 123.001 Hz, noise 0.007
}

// An axis of three nodes around the frequency.
func ExampleCommand() {
	var out, notes strings.Builder
	env := &app.Env{Stdout: &out, Stderr: &notes}
	c := frequency.Command{Paper: true, Carrier: 465000, Axis: "467320:1:3", Method: "auto", Level: 0.95, Points: 100}
	if err := c.Run(context.Background(), env); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.Split(out.String(), "\n")[2])
	// Output: lowest F   0.0001137156662 at 467321 Hz, position 1
}
