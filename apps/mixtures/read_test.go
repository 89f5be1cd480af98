package mixtures

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/apps/internal/app"
)

// readText reads a table of --long from standard input.
func readText(t *testing.T, text string) ([]Set, error) {
	c := &Command{Files: []string{"-"}, Long: true}
	j := &job{options: &c.options, fit: Options{Family: Normal}}
	err := c.readLong(t.Context(), &app.Runner{Env: &app.Env{Stdin: strings.NewReader(text)}}, j, "-")
	return j.sets, err
}

// TestReadLong reads tables with quotes, row names and missing values, and some that are wrong.
func TestReadLong(t *testing.T) {
	for text, want := range map[string]string{
		"\"a,b\",1\n\"c,b\",2\n":                               "a,b c,b",
		"\"\",\"set\",\"value\"\n\"1\",\"a\",1\n\"2\",\"b\",2": "a b",
		"\"set\" \"value\"\n\"1\" \"a a\" 1\n\"2\" \"b\" 2":    "a a b",
		"\"set\" \"value\"\n\"x\" \"a\" 1\n\"y\" \"b\" 2":      "a b",
		"set,value\nx,a,1\ny,b,2":                              "a b",
		"# x\n\nset\tvalue\na\t1\nb\tNaN\nc\tNA\nd\t":          "a",
		"a  1\n b \t 2\n":                                      "a b",
	} {
		sets, err := readText(t, text)
		var names []string
		for _, s := range sets {
			names = append(names, s.Name)
		}
		if got := strings.Join(names, " "); err != nil || got != want {
			t.Errorf("%q: data sets %s, error %v, want %s", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"set,value\na,b,1\na,c,2\n":  "line 3 has 3 fields, but \"a\", which occurs before, cannot be a row name",
		"a,b,1\n":                    "line 1 has 3 fields",
		"\n#\nset,value\na,1\nb,c,2": "line 5 has 3 fields",
		"set,value\n\"a,1\n":         "line 2:",
		"set,value\na,x\n":           "line 2: \"x\" is not a number",
	} {
		if _, err := readText(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte("set,value\na,1\n"))
	_ = z.Flush()
	if _, err := readText(t, b.String()); err == nil || !strings.Contains(err.Error(), "cut off") {
		t.Errorf("error %v of a file that is cut off", err)
	}
}
