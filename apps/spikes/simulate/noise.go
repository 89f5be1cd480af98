package simulate

import (
	"math"
)

// noiseRadius is that of the filter that gives noise its spectrum. So the spectrum has details
// no finer than about 1/128 of the sampling rate.
const noiseRadius = 64

// PowerLaw returns the spectrum whose power is proportional to 1/f^exponent for frequencies
// above least, and constant below it. Exponent 0 is white noise, and about 1 is usual in
// recordings.
func PowerLaw(exponent, least float64) func(frequency float64) float64 {
	return func(f float64) float64 { return math.Pow(max(f, least), -exponent) }
}

// noiseTaps returns the filter that turns white noise into noise of the same variance with the
// given spectrum. Its response is the root of the power.
func noiseTaps(spectrum func(float64) float64, rate float64) []float64 {
	const steps = 1024
	taps := make([]float64, noiseRadius+1)
	for j := range steps {
		f := (float64(j) + 0.5) / (2 * steps)
		amplitude := math.Sqrt(spectrum(f * rate))
		for k := range taps {
			taps[k] += amplitude * math.Cos(2*math.Pi*f*float64(k))
		}
	}
	squares := 0.0
	for k := range taps {
		taps[k] *= 0.5 + 0.5*math.Cos(math.Pi*float64(k)/(noiseRadius+1))
		squares += 2 * taps[k] * taps[k]
	}
	squares -= taps[0] * taps[0]
	for k := range taps {
		taps[k] /= math.Sqrt(squares)
	}
	return taps
}
