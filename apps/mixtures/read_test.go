package mixtures

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/apps/internal/app"
)

// readText reads a table of --long from standard input.
func readText(t *testing.T, text string) ([]Set, error) {
	c := &Command{Files: []string{"-"}, Long: true}
	j := &job{options: &c.options, fit: Options{Family: Normal}}
	err := c.readLong(t.Context(), j, "-", strings.NewReader(text))
	return j.sets, err
}

// readAll runs the reading of skelgo mixtures. A file may be "-", which is stdin.
func readAll(t *testing.T, c *Command, stdin []byte) ([]Set, error) {
	j := &job{options: &c.options, fit: Options{Family: Normal}}
	err := c.read(t.Context(), &app.Runner{Env: &app.Env{Stdin: bytes.NewReader(stdin)}}, j)
	return j.sets, err
}

// TestRead reads tables and arrays from files and from standard input alike.
func TestRead(t *testing.T) {
	array := func(shape string, n int) string {
		header := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': %s, }", shape)
		b := append([]byte("\x93NUMPY\x01\x00"), 118, 0)
		b = append(b, fmt.Sprintf("%-117s\n", header)...)
		for i := range n {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(float64(i+1)))
		}
		return string(b)
	}
	for text, want := range map[string]string{
		"a,b\n1,2\n3,4\n":                                 "a [1 3] b [2 4]",
		"set,value\r\nx,1\r\ny,2\r\nx,3\r\n":              "x [1 3] y [2]",
		"\xef\xbb\xbfset,value\nx,1\n":                    "x [1]",
		"Set;Value\n" + strings.Repeat("x;1.5\n", 30_000): "x 30000 values",
		array("(3,)", 3):                                  "NAME [1 2 3]",
		array("(20000,)", 20000):                          "NAME 20000 values",
		array("(2, 3)", 6):                                "NAME:1 [1 4] NAME:2 [2 5] NAME:3 [3 6]",
		array("(1, 1, 2)", 2):                             "an array of rank 3, shape [1 1 2]; it must have rank 1, or",
		array("()", 1):                                    "an array of rank 0",
		array("(0,)", 0):                                  "it holds no data: shape [0]",
		array("(0, 2)", 0):                                "it holds no data: shape [0 2]",
		array("(4,)", 3):                                  "needs 32 bytes of data",
		"value,set\n1,x\n":                                "the columns value and set must be in the order set, value",
		"a,b\nx,1\n":                                      "--long reads lines",
		"":                                                "it is empty",
		"set,value\n":                                     "there are no values",
		"a\nNA\n\"\"\n":                                   "there are no values",
	} {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		_, _ = z.Write([]byte(text))
		_ = z.Close()
		name := filepath.Join(t.TempDir(), "name.x")
		for _, stdin := range [][]byte{[]byte(text), packed.Bytes()} {
			if err := os.WriteFile(name, stdin, 0o666); err != nil {
				t.Fatal(err)
			}
			for _, file := range []string{name, "-"} {
				sets, err := readAll(t, &Command{Files: []string{file}, Format: "auto"}, stdin)
				var got []string
				for _, s := range sets {
					values := fmt.Sprint(s.Values)
					if n := len(s.Values); n > 10 {
						values = fmt.Sprint(n, " values")
					}
					got = append(got, s.Name+" "+values)
				}
				base := map[bool]string{true: "standard input", false: "name"}[file == "-"]
				want := strings.ReplaceAll(want, "NAME", base)
				if err != nil && !strings.Contains(err.Error(), want) || err == nil && strings.Join(got, " ") != want {
					t.Errorf("%.40q as %s: %s, error %v, want %s", text, file, got, err, want)
				}
			}
		}
	}
	folder := t.TempDir()
	files := []string{filepath.Join(folder, "a.csv"), filepath.Join(folder, "b.csv"), filepath.Join(folder, "c.csv")}
	for i, text := range []string{"set,value\nx,1\n", "set,value\nx,2\n", "x\n3\n"} {
		if err := os.WriteFile(files[i], []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	sets, err := readAll(t, &Command{Files: files, Format: "auto"}, nil)
	if got := fmt.Sprint(sets, err); got != "[{a:x [1]} {b:x [2]} {c:x [3]}] <nil>" {
		t.Errorf("three files: %s", got)
	}
	c := &Command{Files: []string{"-"}, Format: "auto", Long: true}
	if _, err := readAll(t, c, []byte(array("(3,)", 3))); err == nil || !strings.Contains(err.Error(), "is a .npy") {
		t.Errorf("error %v of --long with a .npy", err)
	}
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
