package frequency

import (
	"math"
	"strconv"

	"github.com/skelgo/skelgo/apps/internal/app"
)

// Signal is samples at equal distances in time, from time 0 on, and what is known of them.
type Signal struct {
	Samples []float64
	Cos     []float64 // the first image at the times of the samples
	Sin     []float64 // the second image
	Turn    float64   // 2π/rate: the radians between samples of an oscillation of 1 Hz
}

// Code is a phase code: the carrier keeps its sign during a bit that is 1, and is negated
// during a bit that is 0.
type Code []bool

// ParseCode returns the code with the given hexadecimal digits, four bits for each, from the
// highest to the lowest.
func ParseCode(digits string) (code Code, err error) {
	for i := range len(digits) {
		d, err := strconv.ParseUint(digits[i:i+1], 16, 4)
		if err != nil {
			return nil, app.InputErrorf("code %q: %q is not a hexadecimal digit", digits, digits[i:i+1])
		}
		for bit := 3; bit >= 0; bit-- {
			code = append(code, d>>bit&1 == 1)
		}
	}
	if code == nil {
		return nil, app.InputErrorf("the code is empty; it is hexadecimal digits such as C44B")
	}
	return code, nil
}

// New returns the signal of samples that are taken rate times a second, with a carrier whose
// phase changes as the code says. The bits of the code share the samples equally.
func New(samples []float64, code Code, carrier, rate float64) (*Signal, error) {
	switch {
	case len(code) == 0:
		return nil, app.InputErrorf("the code is empty")
	case len(samples) == 0 || len(samples)%len(code) != 0:
		return nil, app.InputErrorf("%s for %d bits of the code: each bit needs the same number of samples, "+
			"at least 1", app.Count(len(samples), "sample"), len(code))
	case !(rate > 0) || math.IsInf(rate, 0):
		return nil, app.InputErrorf("a rate of %v Hz; it must be a positive number", rate)
	case !(math.Abs(carrier) <= math.MaxFloat64):
		return nil, app.InputErrorf("a carrier of %v Hz; it must be a number", carrier)
	}
	s := &Signal{Samples: samples, Turn: 2 * math.Pi / rate}
	s.Cos, s.Sin = images(code, len(samples), func(bool) float64 { return carrier * s.Turn }, carrier*s.Turn)
	return s, nil
}

// images returns the cosine and the sine of a coded carrier. The sine may have another
// frequency, which depends on the bit. Frequencies are in radians per sample.
func images(code Code, n int, sine func(bit bool) float64, cosine float64) (c, s []float64) {
	c, s = make([]float64, n), make([]float64, n)
	for i := range n {
		bit := code[i/(n/len(code))]
		c[i], s[i] = math.Cos(cosine*float64(i)), math.Sin(sine(bit)*float64(i))
		if !bit {
			c[i], s[i] = -c[i], -s[i]
		}
	}
	return c, s
}

// The constants of the paper: 16 bits of 150 samples, at 5 MHz, and a value of π that moves
// frequencies by less than 0.4 Hz.
const (
	paperCode    = "C44B"
	paperSamples = 16 * 150
	paperPi      = 3.14159
	paperPeriod  = 2e-7
	paperCarrier = 465000
	paperMisfit  = 456000 // stands for the carrier in one line of the listing
	paperSource  = 467321.36
)

// Paper returns the signal of the paper: a sine of 467321.36 Hz without noise, and images of a
// carrier of 465000 Hz. As printed, the second image has a frequency of 456000 Hz in bits that
// are 1.
func Paper(asPrinted bool) *Signal {
	code, err := ParseCode(paperCode)
	if err != nil {
		panic(err)
	}
	s := &Signal{Samples: make([]float64, paperSamples), Turn: 2 * paperPi * paperPeriod}
	for i := range s.Samples {
		s.Samples[i] = math.Sin(s.Turn * paperSource * float64(i))
	}
	s.Cos, s.Sin = images(code, paperSamples, func(bit bool) float64 {
		if bit && asPrinted {
			return paperMisfit * s.Turn
		}
		return paperCarrier * s.Turn
	}, paperCarrier*s.Turn)
	return s
}
