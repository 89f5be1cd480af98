package data

import (
	"strings"
	"testing"
)

type part struct {
	Share  float64   `json:"share"`
	Limits []float64 `json:"limits,omitempty"`
}

type sample struct {
	Dim   int                `json:"dim"`
	Name  string             `json:"name"`
	Means [][]float64        `json:"means"`
	Parts []part             `json:"parts"`
	Best  *part              `json:"best"`
	Risks []*float64         `json:"risks"`
	Named map[string]float64 `json:"named"`
	Pair  [2]float32         `json:"pair"`
	Free  any                `json:"free"`
}

func decodeSample(text string) (*sample, error) {
	return DecodeModel(strings.NewReader(text), "skelgo sample", func(*sample) error { return nil })
}

// TestDecodeModelNull checks that a null is an error wherever package json would read it as zero.
func TestDecodeModelNull(t *testing.T) {
	for text, where := range map[string]string{
		`{"dim": null}`:                         "dim",
		`{"DIM": null}`:                         "DIM",
		`{"name": null}`:                        "name",
		`{"means": [[1, 2], [3, null]]}`:        "means[1][1]",
		`{"parts": [{"share": null}]}`:          "parts[0].share",
		`{"parts": [null]}`:                     "parts[0]",
		`{"parts": [{"limits": [1, null, 2]}]}`: "parts[0].limits[1]",
		`{"best": {"share": null}}`:             "best.share",
		`{"named": {"a": 1, "b": null}}`:        "named.b",
		`{"pair": [1, null]}`:                   "pair[1]",
		`{"pair": null}`:                        "pair",
	} {
		if _, err := decodeSample(text); err == nil || !strings.Contains(err.Error(), ": "+where+" is null") {
			t.Errorf("%s: %v, want %s", text, err, where)
		}
	}
	for _, text := range []string{
		`{"means": null, "parts": null, "best": null, "named": null, "free": null, "other": null}`,
		`{"risks": [null, 1], "free": [null]}`,
		" {} \n",
	} {
		if _, err := decodeSample(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestDecodeModelErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":             "it is no model of skelgo sample: it is empty",
		"{}{}":         "more text follows",
		"{} x":         "more text follows",
		"{":            "unexpected EOF",
		"[1]":          "cannot unmarshal",
		"null":         "is null",
		`{"dim": "1"}`: "cannot unmarshal",
	} {
		if _, err := decodeSample(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// FuzzDecodeModel checks that every text is a model or an error.
func FuzzDecodeModel(f *testing.F) {
	f.Add(`{"dim": 2, "means": [[1, 2]], "parts": [{"share": 1, "limits": null}], "best": null, "pair": [1, 2]}`)
	f.Add(`{"means": [[null]]}`)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := decodeSample(text)
		if (m == nil) != (err != nil) || err != nil && err.Error() == "" {
			t.Errorf("%q: %v, %v", text, m, err)
		}
	})
}
