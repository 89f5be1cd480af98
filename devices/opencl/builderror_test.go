package opencl

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDiagnostics(t *testing.T) {
	const text = "one\ntwo\n#line 31 \"kmeans.go\"\nthirty-one\nthirty-two\n # line 7 \"map.cl\"\nseven\n#line 90\n" +
		"ninety\n"
	for name, c := range map[string]struct {
		log  string
		want []string
	}{
		"none":  {"", nil},
		"clang": {"kmeans.go:31:9: error: bad\nx.cl:3:1: warning: odd\n", []string{"kmeans.go:31: bad"}},
		"order": {"map.cl:7:1: error: b\na/kmeans.go:32:9: fatal error: a\n",
			[]string{"a/kmeans.go:32: a", "map.cl:7: b"}},
		"PoCL": {"error: kmeans.go:31:9: bad\nwarning: kmeans.go:31:9: odd\nDevice cpu failed\n",
			[]string{"kmeans.go:31: bad"}},
		"NVIDIA": {"<kernel>:2:1: error: a\n<kernel>:5:1: error: b\n<kernel>:7:1: error: c\n<kernel>:9:1: error: d\n",
			[]string{"kmeans.go:32: b", "prelude.cl:2: a", "map.cl:7: c", "map.cl:90: d"}},
	} {
		if diff := cmp.Diff(c.want, diagnostics(c.log, text)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestPreludeLines checks that each part of the prelude has line numbers of its
// own, which errors show.
func TestPreludeLines(t *testing.T) {
	own := strings.Count(ownPrelude, "\n")
	text := prelude + afterPrelude + "first\n"
	for line, want := range map[int]string{
		own:                       "prelude.cl:" + strconv.Itoa(own),
		own + 2:                   "shared.h:1",
		own + 5:                   "shared.h:4",
		strings.Count(text, "\n"): "program:1",
	} {
		file, n := position(text, strconv.Itoa(line))
		if got := file + ":" + n; got != want {
			t.Errorf("line %d is %s, want %s", line, got, want)
		}
	}
}

func TestFloat64Word(t *testing.T) {
	for text, want := range map[string]bool{
		"FUNC f32 f(f32 x) {}\n":                          false,
		"f32 a; f64 b;\n":                                 true,
		"\n\n\tf64 b;\n":                                  true,
		"f64 f(f64 x) {}\n":                               true,
		"#define T f64\n":                                 true,
		"#line 7 \"f64.go\"\nf32 a;\n":                    false,
		"f32 a;\n\n#line 7 \"lib/f64/half.go\"\nf32 b;\n": false,
		"#line 7 \"f64.go\"\nf64 a;\n":                    true,
	} {
		if got := float64Word.MatchString(text); got != want {
			t.Errorf("%q: needs float64: %v, want %v", text, got, want)
		}
	}
}
