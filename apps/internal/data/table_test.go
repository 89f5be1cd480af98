package data

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/sbinet/npyio/npy"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

func readString(s string, o Options) (*Table[float64], error) {
	o.Stdin = strings.NewReader(s)
	return Read[float64](context.Background(), "-", o)
}

func TestRead(t *testing.T) {
	two := []float64{1, 2, 3, 4}
	tests := []struct {
		name, text string
		o          Options
		want       Table[float64]
	}{
		{"comma", "1,2\n3,4\n", Options{}, Table[float64]{Rows: 2, Cols: 2, Data: two}},
		{"no last line end", "1,2\n3,4", Options{}, Table[float64]{Rows: 2, Cols: 2, Data: two}},
		{"windows", "1,2\r\n3,4\r\n", Options{}, Table[float64]{Rows: 2, Cols: 2, Data: two}},
		{"tabs", "1\t2\n3\t4\n", Options{}, Table[float64]{Rows: 2, Cols: 2, Data: two}},
		{"blanks", "  1 2\n3   4  \n", Options{}, Table[float64]{Rows: 2, Cols: 2, Data: two}},
		{"blanks around", " 1 , 2\n 3 , 4 \n", Options{}, Table[float64]{Rows: 2, Cols: 2, Data: two}},
		{"decimal comma", "1,5;2\n3;4,25\n", Options{},
			Table[float64]{Rows: 2, Cols: 2, Data: []float64{1.5, 2, 3, 4.25}}},
		{"comments", "# made by hand\n\n1,2\n  # more\n3,4\n", Options{}, Table[float64]{Rows: 2, Cols: 2, Data: two}},
		{"byte order mark", "\xef\xbb\xbf1,2\n3,4\n", Options{}, Table[float64]{Rows: 2, Cols: 2, Data: two}},
		{"one row", "1,2\n", Options{}, Table[float64]{Rows: 1, Cols: 2, Data: []float64{1, 2}}},
		{"one column", "1\n2\n", Options{}, Table[float64]{Rows: 2, Cols: 1, Data: []float64{1, 2}}},
		{"header", "a,b\n1,2\n3,4\n", Options{}, Table[float64]{Rows: 2, Cols: 2, Data: two,
			Names: []string{"a", "b"}}},
		{"quotes", "\"a, \"\"b\"\"\",c\n\"1\",2\n3,\"4\"\n", Options{}, Table[float64]{Rows: 2, Cols: 2, Data: two,
			Names: []string{`a, "b"`, "c"}}},
		{"numbers in the header", "1990,total\n1,2\n3,4\n", Options{}, Table[float64]{Rows: 2, Cols: 2, Data: two,
			Names: []string{"1990", "total"},
			Notes: []string{"line 1 is read as a header, although it holds numbers"}}},
		{"dates in the header", "id,2024-05-01\n1,2\n3,4\n", Options{}, Table[float64]{Rows: 2, Cols: 2, Data: two,
			Names: []string{"id", "2024-05-01"}}},
		{"a header that starts with digits", "1st,2nd\n1,2\n3,4\n", Options{},
			Table[float64]{Rows: 2, Cols: 2, Data: two, Names: []string{"1st", "2nd"}}},
		{"dates as labels", "1,2,2024-05-01\n3,4,2024-05-02\n", Options{}, Table[float64]{
			Rows: 2, Cols: 2, Kept: []int{0, 1}, Data: two,
			Notes: []string{"column 3 is text and is left out"}}},
		{"forms of numbers", "+1,.2e1\n3.,400e-2\n", Options{}, Table[float64]{Rows: 2, Cols: 2, Data: two}},
		{"carriage returns", "a,b\r1,2\r3,4\r", Options{}, Table[float64]{Rows: 2, Cols: 2, Data: two,
			Names: []string{"a", "b"}}},
		{"UTF-16", "\xff\xfe1\x00\t\x002\x00\r\x00\n\x003\x00\t\x004\x00", Options{},
			Table[float64]{Rows: 2, Cols: 2, Data: two}},
		{"R's row names", "\"a\" \"b\"\n\"1\" 1 2\n\"2\" 3 4\n", Options{}, Table[float64]{
			Rows: 2, Cols: 2, Kept: []int{1, 2}, Data: two,
			Names: []string{"a", "b"}, Notes: []string{"column 1 holds row names and is left out"}}},
		{"pandas' index", ",a,b\n0,1,2\n1,3,4\n", Options{}, Table[float64]{
			Rows: 2, Cols: 2, Kept: []int{1, 2}, Data: two,
			Names: []string{"a", "b"}, Notes: []string{"column 1 holds row names and is left out"}}},
		{"class with header", "a,b,species\n1,2,setosa\n3,4,versicolor\n", Options{},
			Table[float64]{Rows: 2, Cols: 2, Kept: []int{0, 1}, Data: two, Names: []string{"a", "b"},
				Notes: []string{"column 3 (species) is text and is left out"}}},
		{"class without header", "1,2,setosa\n3,4,versicolor\n", Options{}, Table[float64]{
			Rows: 2, Cols: 2, Kept: []int{0, 1}, Data: two,
			Notes: []string{"column 3 is text and is left out"}}},
		{"separators at the ends", "1,2,\n3,4,\n", Options{}, Table[float64]{Rows: 2, Cols: 2, Data: two}},
		{"separators at the ends, header", "a;b;\n1;2;\n3;4;\n", Options{}, Table[float64]{Rows: 2, Cols: 2, Data: two,
			Names: []string{"a", "b"}}},
		{"separators at the ends of data", "a,b\n1,2,\n3,4,\n", Options{}, Table[float64]{Rows: 2, Cols: 2, Data: two,
			Names: []string{"a", "b"}}},
		{"a separator at the end of the header", "a,b,\n1,2\n3,4\n", Options{},
			Table[float64]{Rows: 2, Cols: 2, Data: two, Names: []string{"a", "b"}}},
		{"a separator at the end of some lines", "1,2,\n3,4", Options{}, Table[float64]{Rows: 2, Cols: 2, Data: two}},
		{"separators after labels", "1,2,x,\n3,4,y,\n", Options{}, Table[float64]{
			Rows: 2, Cols: 2, Kept: []int{0, 1}, Data: two, Notes: []string{"column 3 is text and is left out"}}},
		{"a missing value in the last column", "a,b\n1,2\n3,\n", Options{AllowNonFinite: true}, Table[float64]{
			Rows: 2, Cols: 2, Data: []float64{1, 2, 3, math.NaN()}, Names: []string{"a", "b"}}},
		{"years", "2019,2020\n3,5\n", Options{}, Table[float64]{Rows: 2, Cols: 2, Data: []float64{2019, 2020, 3, 5},
			Notes: []string{"the first line (2019, 2020, ...) is read as data; remove it if it is a header"}}},
		{"counted columns", "0,1\n1,3\n", Options{}, Table[float64]{Rows: 2, Cols: 2, Data: []float64{0, 1, 1, 3},
			Notes: []string{"the first line (0, 1, ...) is read as data; remove it if it is a header"}}},
		{"Latin-1", "Gr\xf6\xdfe,\x80\n1,2\n3,4\n", Options{}, Table[float64]{Rows: 2, Cols: 2, Data: two,
			Names: []string{"Größe", "€"},
			Notes: []string{"the header is not UTF-8 and is read as Windows-1252 (Latin-1)"}}},
		{"a DOS header", "f\x81r,b\n1,2\n3,4\n", Options{}, Table[float64]{Rows: 2, Cols: 2, Data: two,
			Names: []string{"f\uFFFDr", "b"},
			Notes: []string{"the header is not UTF-8 and is read as Windows-1252 (Latin-1)"}}},
		{"one name that is not UTF-8", "Größe,caf\xe9\n1,2\n3,4\n", Options{}, Table[float64]{
			Rows: 2, Cols: 2, Data: two,
			Names: []string{"Größe", "café"},
			Notes: []string{"the header is not UTF-8 and is read as Windows-1252 (Latin-1)"}}},
		{"quotes and controls in columns that are left out", "a,\"b\tc\",d\n1,\"x\" (old),2\n3,\"5\\\" pipe\",4\n",
			Options{Ignore: []string{"2"}}, Table[float64]{
				Rows: 2, Cols: 2, Kept: []int{0, 2}, Data: two, Names: []string{"a", "d"}}},
		{"missing values in the last column", "1,2,\n3,4,\n5,6,7\n", Options{AllowNonFinite: true}, Table[float64]{
			Rows: 3, Cols: 3, Data: []float64{1, 2, math.NaN(), 3, 4, math.NaN(), 5, 6, 7}}},
		{"a last column without a name", "a,b,\n1,2,\n3,4,outlier\n", Options{Columns: []string{"a", "b"}},
			Table[float64]{Rows: 2, Cols: 2, Kept: []int{0, 1}, Data: two, Names: []string{"a", "b"}}},
		{"an empty column that is ignored", "a,b,\n1,2,\n3,4,\n", Options{Ignore: []string{"3"}},
			Table[float64]{Rows: 2, Cols: 2, Kept: []int{0, 1}, Data: two, Names: []string{"a", "b"}}},
		{"columns of equal names", "a,a,b\n1,9,2\n3,9,4\n", Options{Columns: []string{"1", "b"}}, Table[float64]{
			Rows: 2, Cols: 2, Kept: []int{0, 2}, Data: two, Names: []string{"a", "b"}}},
		{"columns", "a,b,c\n1,2,x\n3,4,y\n", Options{Columns: []string{"b", "1"}},
			Table[float64]{
				Rows: 2, Cols: 2, Kept: []int{1, 0}, Data: []float64{2, 1, 4, 3}, Names: []string{"b", "a"}}},
		{"range", "0,1,2\n0,3,4\n", Options{Columns: []string{"2-3"}}, Table[float64]{
			Rows: 2, Cols: 2, Kept: []int{1, 2}, Data: two}},
		{"ignore", "id,a,b\nx,1,2\ny,3,4\n", Options{Ignore: []string{"id"}},
			Table[float64]{Rows: 2, Cols: 2, Kept: []int{1, 2}, Data: two, Names: []string{"a", "b"}}},
		{"not finite", "1,nan\n,-inf\n", Options{AllowNonFinite: true},
			Table[float64]{Rows: 2, Cols: 2, Data: []float64{1, math.NaN(), math.NaN(), math.Inf(-1)}}},
		{"rodinia", "7 1\t2\n8,3 , 4\n", Options{Format: Rodinia}, Table[float64]{
			Rows: 2, Cols: 2, Kept: []int{1, 2}, Data: two}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := readString(test.text, test.o)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(&test.want, got, cmpopts.EquateNaNs(), cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadErrors(t *testing.T) {
	tests := []struct {
		name, text string
		o          Options
		want       string
	}{
		{"empty", "", Options{}, "standard input: it is empty"},
		{"blank", "\n\n# nothing\n", Options{}, "standard input: it holds no data"},
		{"only a header", "a,b\n", Options{}, "standard input: it holds no data"},
		{"ragged", "1,2\n3,4\n5\n", Options{}, "standard input:3: it has 1 field, but line 1 has 2"},
		{"ragged second line", "1,2\n3\n", Options{}, "standard input:2: it has 1 field, but line 1 has 2"},
		{"header too long", "a,b,c\n1,2\n", Options{}, "standard input:2: it has 2 fields, but line 1 has 3"},
		{"text", "1,2\n3,four\n", Options{},
			`standard input:2:3: "four" is not a number; use --ignore "2" to leave out its column`},
		{"text column", "species,a\nsetosa,1\n", Options{},
			`standard input:2:1: "setosa" is not a number; use --ignore "species" to leave out its column`},
		{"text column asked for", "a,b\n1,x\n", Options{Columns: []string{"a", "b"}},
			`standard input:2:3: "x" is not a number; use --ignore "b" to leave out its column`},
		{"hexadecimal", "0x10,2\n3,4\n", Options{},
			`standard input:1:1: "0x10" is a hexadecimal number; ` +
				`write it in plain decimal, or use --ignore "1" to leave out its column`},
		{"hexadecimal below a header", "a,b\n1,0X1P-2\n", Options{},
			`standard input:2:3: "0X1P-2" is a hexadecimal number; ` +
				`write it in plain decimal, or use --ignore "b" to leave out its column`},
		{"hexadecimal in the last column", "1,0x10\n3,4\n", Options{},
			`standard input:1:3: "0x10" is a hexadecimal number; ` +
				`write it in plain decimal, or use --ignore "2" to leave out its column`},
		{"only hexadecimal", "0x10,0x20\n3,4\n", Options{},
			`standard input:1:1: "0x10" is a hexadecimal number; ` +
				`write it in plain decimal, or use --ignore "1" to leave out its column`},
		{"underscores", "1_000,2\n3,4\n", Options{},
			`standard input:1:1: "1_000" is a number with underscores; ` +
				`write it in plain decimal, or use --ignore "1" to leave out its column`},
		{"underscores and a decimal comma", "1_0,5;2\n3;4\n", Options{},
			`standard input:1:1: "1_0,5" is not a number; use --ignore "1" to leave out its column`},
		{"binary and octal", "1,0b11\n0o17,2\n", Options{},
			`standard input:1:3: "0b11" is a binary number; ` +
				`write it in plain decimal, or use --ignore "2" to leave out its column`},
		{"a letter for a digit", "1,2O,3\n4,5,6\n", Options{},
			`standard input:1:3: "2O" is not a number; use --ignore "2" to leave out its column`},
		{"NUL", "1\x00,2\n", Options{}, "standard input: it is not a text file: byte 2 is zero"},
		{"nan", "1,2\n3,NaN\n", Options{Advice: "use --allow-nonfinite"},
			`standard input:2:3: "NaN" is not finite; use --allow-nonfinite`},
		{"infinite", "1,2\n-Inf,3\n", Options{}, `standard input:2:1: "-Inf" is not finite`},
		{"missing", "1,2\n3,\n", Options{}, `standard input:2:3: an empty field is not finite`},
		{"too large", "1,2\n3,1e999\n", Options{}, `standard input:2:3: "1e999" is too large for float64`},
		{"quote", "a,b\n\"1,2\n", Options{}, "standard input:2:1: a quoted field has no closing quote on its line"},
		{"text after a quote", "1,2\n\"3\"5,4\n", Options{},
			"standard input:2:1: text follows the closing quote of a field; " +
				"a quote inside a field is written twice"},
		{"text after a quote, blanks", "1 2\n3 \"4\"5\n", Options{},
			"standard input:2:3: text follows the closing quote " +
				"of a field; a quote inside a field is written twice"},
		{"text after the last separator", "1,2,\n3,4,5\n", Options{},
			"standard input:1:5: an empty field is not finite"},
		{"text after the last separator, later", "1,2,\n3,4,\n5,6,7\n", Options{},
			`standard input:3:5: "7" follows the last separator, after which the first lines are empty`},
		{"two decimal signs", "1,5;2\n1.234;5,5\n", Options{}, `standard input:2:1: "1.234" and "1,5" in line 1 have ` +
			`different decimal signs; write numbers without signs for thousands`},
		{"two decimal signs in a line", "1.234;5,5\n", Options{},
			`standard input:1:7: "5,5" and "1.234" in line 1 have ` +
				`different decimal signs; write numbers without signs for thousands`},
		{"columns of one name", "a,b,a\n1,2,3\n", Options{Columns: []string{"a"}},
			`standard input: columns 1 and 3 both have the name "a"; use their numbers`},
		{"control characters", "a,b\x1b[31m\n1,2\n", Options{},
			`standard input:1:3: the name of column 2, "b\x1b[31m", has a control character; rename it`},
		{"unknown column", "a,b\n1,2\n", Options{Columns: []string{"c"}},
			`standard input: no column "c"; available: a, b`},
		{"unknown column, no names", "1,2\n", Options{Columns: []string{"c"}},
			`standard input: no column "c"; this file has no header, so use numbers from 1 to 2`},
		{"column out of range", "1,2\n", Options{Ignore: []string{"3"}},
			`standard input: no column "3"; available: 1 to 2`},
		{"column twice", "1,2\n", Options{Columns: []string{"1-2", "2"}}, `standard input: column "2" is chosen twice`},
		{"no column left", "1,2\n", Options{Ignore: []string{"1-2"}}, "standard input: no column is left of 2"},
		{"rodinia text", "1 2 3\n2 x 3\n", Options{Format: Rodinia},
			`standard input:2:3: "x" is not a number; use --ignore "2" to leave out its column`},
		{"rodinia without numbers", "1\n2\n", Options{Format: Rodinia}, "standard input: no column is left of 1"},
		{"format", "1", Options{Format: "xml"},
			`standard input: unknown format "xml"; available: auto, csv, npy, rodinia`},
		{"npy asked for", "1,2\n", Options{Format: NPY},
			"standard input: unreadable .npy header: the file is too short"},
		{"csv asked for", string(npyMagic), Options{Format: CSV}, "standard input: it is a NumPy file, not csv"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := readString(test.text, test.o)
			if err == nil || err.Error() != test.want {
				t.Errorf("error\n%v, want\n%s", err, test.want)
			}
		})
	}
}

func TestFloat32RoundsOnce(t *testing.T) {
	// Through float64 this would be rounded twice, the second time wrongly.
	const s = "1.000000059604644775390626"
	got, err := Read[float32](context.Background(), "-", Options{Stdin: strings.NewReader(s)})
	if err != nil || got.Data[0] != 1.0000001 {
		t.Errorf("%v %v", got, err)
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	ctx := context.Background()
	if _, err := Read[float32](ctx, filepath.Join(dir, "none"), Options{}); err == nil ||
		!strings.Contains(err.Error(), "none: no such file") {
		t.Errorf("missing file: %v", err)
	}
	if _, err := Read[float32](ctx, dir, Options{}); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("folder: %v", err)
	}
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	fmt.Fprint(w, "1,2\n3,4\n")
	w.Close()
	name := filepath.Join(dir, "a.csv.gz")
	os.WriteFile(name, z.Bytes(), 0o666)
	if got, err := Read[float32](ctx, name, Options{}); err != nil || got.Rows != 2 {
		t.Errorf("gzip: %v %v", got, err)
	}
	os.WriteFile(name, z.Bytes()[:z.Len()-10], 0o666)
	if _, err := Read[float32](ctx, name, Options{}); err == nil {
		t.Error("half a gzip file was accepted")
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Read[float32](cancelled, name, Options{}); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

func TestLongLines(t *testing.T) {
	const cols = 200_000
	line := strings.Repeat("1.25 ", cols) + "\n"
	got, err := readString("a "+line+"b "+line, Options{Format: Rodinia})
	if err != nil || got.Rows != 2 || got.Cols != cols {
		t.Fatalf("%v rows of %v, %v", got.Rows, got.Cols, err)
	}
}

func TestNPY(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.npy")
	put := func(descr, order, shape string, data ...byte) {
		h := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", descr, order, shape)
		h += strings.Repeat(" ", 117-len(h)) + "\n"
		os.WriteFile(name, append([]byte("\x93NUMPY\x01\x00v\x00"+h), data...), 0o666)
	}
	good := []struct {
		descr, order, shape string
		data                []byte
		o                   Options
		want                []float64
	}{
		{"|u1", "False", "(2, 3)", []byte{1, 2, 3, 4, 5, 6}, Options{}, []float64{1, 2, 3, 4, 5, 6}},
		{"|u1", "True", "(2, 3)", []byte{1, 2, 3, 4, 5, 6}, Options{}, []float64{1, 3, 5, 2, 4, 6}},
		{"|u1", "True", "(2, 3)", []byte{1, 2, 3, 4, 5, 6}, Options{Columns: []string{"3", "1"}},
			[]float64{5, 1, 6, 2}},
		{"|i1", "False", "(1, 2)", []byte{255, 2}, Options{}, []float64{-1, 2}},
		{"<i2", "False", "(1, 1)", []byte{1, 255}, Options{}, []float64{-255}},
		{">u2", "False", "(1, 1)", []byte{1, 0}, Options{}, []float64{256}},
		{"<f4", "False", "(1, 1)", []byte{0, 0, 0x80, 0x3f}, Options{}, []float64{1}},
		{">f8", "False", "(1, 1)", []byte{0x3f, 0xf0, 0, 0, 0, 0, 0, 0}, Options{}, []float64{1}},
		{"<i8", "False", "(1, 1)", []byte{9, 0, 0, 0, 0, 0, 0, 0}, Options{}, []float64{9}},
		{"<u4", "False", "(2,)", []byte{9, 0, 0, 0, 7, 0, 0, 0}, Options{vector: true}, []float64{9, 7}},
	}
	for _, test := range good {
		put(test.descr, test.order, test.shape, test.data...)
		got, err := Read[float64](context.Background(), name, test.o)
		if err != nil {
			t.Error(err)
		} else if diff := cmp.Diff(test.want, got.Data); diff != "" {
			t.Errorf("%s %s: %s", test.descr, test.shape, diff)
		}
	}
	bad := []struct {
		descr, shape string
		data         []byte
		want         string
	}{
		{"<f4", "(3,)", make([]byte, 12), "an array of rank 1, shape [3]; it must have rank 2"},
		{"<f4", "()", make([]byte, 4), "an array of rank 0, shape []"},
		{"<f4", "(1, 1, 1)", make([]byte, 4), "an array of rank 3"},
		{"<c8", "(1, 1)", make([]byte, 8), `elements of type "<c8"`},
		{"<U5", "(1, 1)", make([]byte, 20), "elements of type"},
		{"<f4", "(2, 2)", make([]byte, 15), "shape [2 2] of <f4 needs 16 bytes of data: it ends after 15"},
		{"<f4", "(1000000, 1000000)", nil, "it ends after 0"},
		{"<f4", "(2, 2)", make([]byte, 17),
			"shape [2 2] of <f4 needs 16 bytes of data, and more follow: the file is damaged, or holds several arrays"},
		{"|u1", "(1, 1)", make([]byte, 1<<19), "more follow"},
		{"<f4", "(0, 2)", nil, "it holds no data"},
		{"<f4", "(-1, 2)", nil, "it holds no data"},
		{"<f4", "(4611686018427387904, 4)", nil, "it holds no data"},
		{"<f4", "(1, 1)", []byte{0, 0, 0xc0, 0x7f}, "row 0, column 0 (from 0): NaN is not finite"},
	}
	for _, test := range bad {
		put(test.descr, "False", test.shape, test.data...)
		_, err := Read[float64](context.Background(), name, Options{})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s %s: error %v, want %s", test.descr, test.shape, err, test.want)
		}
	}
}

func TestDamagedNPY(t *testing.T) {
	var b bytes.Buffer
	npy.Write(&b, mat.NewDense(2, 2, []float64{1, 2, 3, 4}))
	rapid.Check(t, func(t *rapid.T) {
		damaged := bytes.Clone(b.Bytes())[:rapid.IntRange(6, b.Len()).Draw(t, "length")]
		for range rapid.IntRange(0, 4).Draw(t, "hits") {
			damaged[rapid.IntRange(0, len(damaged)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "value")
		}
		// must not panic
		Read[float32](context.Background(), "-", Options{Format: NPY, Stdin: bytes.NewReader(damaged)})
	})
}

func TestAnyTextIsNoPanic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`[0-9a,;"# \t\n.eE+-]{0,60}`).Draw(t, "text")
		table, err := readString(s, Options{Format: rapid.SampledFrom([]Format{Auto, CSV, Rodinia}).Draw(t, "format")})
		if err == nil && (table.Rows == 0 || table.Cols == 0 || len(table.Data) != table.Rows*table.Cols) {
			t.Errorf("%q gives %+v", s, table)
		}
	})
}

func TestVector(t *testing.T) {
	o := Options{Stdin: strings.NewReader("weight\n1\n2.5\n")}
	got, err := ReadVector[float64](context.Background(), "-", o)
	if diff := cmp.Diff([]float64{1, 2.5}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if _, err := ReadVector[float64](context.Background(), "-",
		Options{Stdin: strings.NewReader("1,2\n")}); err == nil {
		t.Error("two columns were accepted")
	}
}

func BenchmarkRead(b *testing.B) {
	var s strings.Builder
	for range 100_000 {
		for range 9 {
			fmt.Fprintf(&s, "%.4f,", rand.NormFloat64())
		}
		fmt.Fprintf(&s, "%.4f\n", rand.NormFloat64())
	}
	text := s.String()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Read[float32](context.Background(), "-", Options{Stdin: strings.NewReader(text)}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1e6, "ns/number")
}

// TestHeaderLargerThanFile checks that the number of columns in the header of a .npy costs no memory
// before the data are there.
func TestHeaderLargerThanFile(t *testing.T) {
	for _, shape := range []string{"(1, 300000000)", "(300000000, 1)", "(300000000,)"} {
		h := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': %s, }\n", shape)
		text := string(npyMagic) + "\x01\x00" + string([]byte{byte(len(h)), 0}) + h + "data"
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Read[float32](context.Background(), "-", Options{Stdin: strings.NewReader(text), vector: true})
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), "needs 1200000000 bytes of data: it ends after 4") {
			t.Errorf("%s: %v", shape, err)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 16<<20 {
			t.Errorf("%s: %d bytes were allocated", shape, n)
		}
	}
}

// FuzzRead checks that every input is a table whose parts fit together, or an error.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"1,2,\n3,4,\n", "a;b\n1,5;2\n", "\"a\"x\n", ",0,1\n0,1,2\n", "1 2\n\"3\" 4", "\xf6,b\n1,2\n", "a\t\n1\t\n",
		string(npyMagic) + "\x01\x00\x3e\x00{'descr': '<f8', 'fortran_order': True, 'shape': (1, 1), }   \n12345678",
		string(npyMagic) + "\x02\x00\xff\xff\xff\xff{",
	} {
		for _, format := range []string{"auto", "csv", "npy", "rodinia"} {
			f.Add([]byte(text), format)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, format string) {
		o := Options{Format: Format(format), AllowNonFinite: true, Stdin: bytes.NewReader(text)}
		got, err := Read[float32](context.Background(), "-", o)
		if err != nil {
			if err.Error() == "" {
				t.Error("no message")
			}
			return
		}
		if len(got.Data) != got.Rows*got.Cols || got.Names != nil && len(got.Names) != got.Cols ||
			got.Kept != nil && len(got.Kept) != got.Cols {
			t.Errorf("%d x %d, %d numbers, names %q, columns %v", got.Rows, got.Cols, len(got.Data),
				got.Names, got.Kept)
		}
	})
}
