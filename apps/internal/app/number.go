package app

import (
	"encoding/json"
	"math"
)

// Number is a number in JSON, or null if it is infinite or NaN, which JSON cannot express.
type Number float64

// MarshalJSON implements json.Marshaler.
func (n Number) MarshalJSON() ([]byte, error) {
	x := float64(n)
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return []byte("null"), nil
	}
	return json.Marshal(x)
}
