package files

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

func TestText(t *testing.T) {
	for _, c := range []struct {
		name, text string
		cols       int
		want       []int32
	}{
		{"comma", "1,2\n3,4\n", 2, []int32{1, 2, 3, 4}},
		{"semicolon", "1;2\n3;4\n", 2, []int32{1, 2, 3, 4}},
		{"tab", "1\t2\n3\t4\n", 2, []int32{1, 2, 3, 4}},
		{"blanks", "  1 2\n3    4 \n", 2, []int32{1, 2, 3, 4}},
		{"blanks around", " 1 , 2\n 3 ,\t4 \n", 2, []int32{1, 2, 3, 4}},
		{"one column", "1\n2\n3\n", 1, []int32{1, 2, 3}},
		{"one row", "1,2,3\n", 3, []int32{1, 2, 3}},
		{"one number", "7", 1, []int32{7}},
		{"no last line end", "1,2\n3,4", 2, []int32{1, 2, 3, 4}},
		{"CRLF", "1,2\r\n3,4\r\n", 2, []int32{1, 2, 3, 4}},
		{"CRLF, no last line end", "1,2\r\n3,4\r", 2, []int32{1, 2, 3, 4}},
		{"empty lines", "\n\n1,2\n\n \t \n3,4\n\n", 2, []int32{1, 2, 3, 4}},
		{"empty lines, CRLF", "\r\n1,2\r\n\r\n3,4\r\n\r\n", 2, []int32{1, 2, 3, 4}},
		{"header", "a,b\n1,2\n3,4\n", 2, []int32{1, 2, 3, 4}},
		{"header after an empty line", "\na,b\n1,2\n3,4\n", 2, []int32{1, 2, 3, 4}},
		{"a header with a number", "1990,total\n1,2\n", 2, []int32{1, 2}},
		{"a header with an empty name", ",b\n1,2\n", 2, []int32{1, 2}},
		{"a header with blanks", "body mass\n1\n2\n", 1, []int32{1, 2}},
		{"a header with another separator", "height, in cm\n1\n2\n", 1, []int32{1, 2}},
		{"a comment", "# x y\n1 2\n3 4\n", 2, []int32{1, 2, 3, 4}},
		{"byte order mark", "\xef\xbb\xbf1,2\n3,4\n", 2, []int32{1, 2, 3, 4}},
		{"byte order mark and header", "\xef\xbb\xbfa,b\r\n1,2\r\n3,4\r\n", 2, []int32{1, 2, 3, 4}},
		{"signs", "-1,+2\n-0,007\n", 2, []int32{-1, 2, 0, 7}},
		{"the largest", "2147483647\n-2147483648\n", 1, []int32{math.MaxInt32, math.MinInt32}},
	} {
		t.Run(c.name, func(t *testing.T) {
			name := write(t, "a.csv", c.text)
			f := open(t, name, reflect.TypeFor[int32](), 0, len(c.want)/c.cols, c.cols)
			checkReads(t, f, inMemory(t, c.want))
		})
	}
}

// TestTextTypes parses numbers of every type.
func TestTextTypes(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		text string
		of   reflect.Type
		want any
	}{
		{"-128 127", reflect.TypeFor[int8](), []int8{-128, 127}},
		{"-32768 32767", reflect.TypeFor[int16](), []int16{math.MinInt16, math.MaxInt16}},
		{"-2147483648 2147483647", reflect.TypeFor[int32](), []int32{math.MinInt32, math.MaxInt32}},
		{"-9223372036854775808 9223372036854775807", reflect.TypeFor[int64](), []int64{math.MinInt64, math.MaxInt64}},
		{"0 255", reflect.TypeFor[uint8](), []uint8{0, 255}},
		{"0 65535", reflect.TypeFor[uint16](), []uint16{0, math.MaxUint16}},
		{"0 4294967295", reflect.TypeFor[uint32](), []uint32{0, math.MaxUint32}},
		{"0 18446744073709551615", reflect.TypeFor[uint64](), []uint64{0, math.MaxUint64}},
		{"0.1 -2.5e-3 1 .5 3. inf", reflect.TypeFor[float32](), []float32{0.1, -2.5e-3, 1, .5, 3, float32(inf)}},
		{"0.1 -2.5e-300 1 .5 3. -Inf", reflect.TypeFor[float64](), []float64{0.1, -2.5e-300, 1, .5, 3, -inf}},
		// It rounds once: by way of float64 the result would be 1.
		{"1.00000005960464477540 36.6", reflect.TypeFor[celsius](), []celsius{1.00000011920929, 36.6}},
	} {
		want := inMemory(t, c.want)
		cols := len(want) / int(c.of.Size())
		for _, name := range []string{"a.csv", "a.txt", "a.TSV"} {
			checkReads(t, open(t, write(t, name, c.text+"\n"), c.of, cols, 1, cols), want)
		}
	}
	for _, of := range []reflect.Type{reflect.TypeFor[int](), reflect.TypeFor[uint]()} {
		p, name := make([]byte, of.Size()), write(t, "a.txt", "1\n12\n")
		if _, err := open(t, name, of, 1, 2, 1).ReadAt(p, int64(of.Size())); err != nil {
			t.Error(err)
		}
		want := make([]byte, of.Size())
		if littleEndian {
			want[0] = 12
		} else {
			want[len(want)-1] = 12
		}
		if !bytes.Equal(p, want) {
			t.Errorf("%v: %v, want %v", of, p, want)
		}
	}
}

// TestTextErrors reads text that is wrong after its first row, which Open does not see.
func TestTextErrors(t *testing.T) {
	i4, u1, f4 := reflect.TypeFor[int32](), reflect.TypeFor[uint8](), reflect.TypeFor[float32]()
	many := strings.Repeat("1,2\n", 3000)
	for _, c := range []struct {
		name, text string
		of         reflect.Type
		want       string // after the name of the file
	}{
		{"missing", "1,2\n3,\n", i4, ":2: column 2: the value is missing"},
		{"missing first", "1,2\n,3\n", i4, ":2: column 1: the value is missing"},
		{"missing in the first row", "1,,3\n", i4, ":1: column 2: the value is missing"},
		{"separators at the ends", "1,2,\n3,4,\n", i4, ":1: column 3: the value is missing"},
		{"text", "a,b\n1,2\n\n3,four\n", i4, `:4: column 2: "four" is not a number of type int32`},
		{"quotes", "1,2\n\"3\",4\n", i4, `:2: column 1: "\"3\"" is not a number of type int32`},
		{"fraction", "1,2\n3,4.5\n", i4, `:2: column 2: "4.5" is not a number of type int32`},
		{"fraction in the first row", "1.5,2\n", i4, `:1: column 1: "1.5" is not a number of type int32`},
		{"exponent", "1,2\n3,1e3\n", i4, `:2: column 2: "1e3" is not a number of type int32`},
		{"negative", "1,2\n3,-4\n", u1, `:2: column 2: "-4" is not a number of type uint8`},
		{"overflow", "1,2\n256,4\n", u1, `:2: column 1: "256" does not fit in uint8`},
		{"overflow of a sign", "1,2\n3,-129\n", reflect.TypeFor[int8](), `:2: column 2: "-129" does not fit in int8`},
		{"a large integer", "99999999999999999999\n", reflect.TypeFor[int64](),
			`:1: column 1: "99999999999999999999" does not fit in int64`},
		{"a large float", "1,2\n1e39,4\n", f4, `:2: column 1: "1e39" does not fit in float32`},
		{"a large float in the first row", "1e999,2\n", reflect.TypeFor[float64](),
			`:1: column 1: "1e999" does not fit in float64`},
		{"a named type", "1\n1e39\n", reflect.TypeFor[celsius](), `:2: column 1: "1e39" does not fit in float32`},
		{"too few", "1,2\n3,4\n5\n", i4, ":3: 1 numbers, where the first row has 2"},
		{"too many", "1,2\n\r\n3,4,5\n", i4, ":3: 3 numbers, where the first row has 2"},
		{"decimal comma", "1,5;2\n3,5;4\n", f4, `:2: column 1: "3,5" is not a number of type float32`},
		{"other separator", "1;2\n3,4\n", i4, ":2: 1 numbers, where the first row has 2"},
		{"a second header", "a,b\nc,d\n1,2\n", i4, `:2: column 1: "c" is not a number of type int32`},
		{"a late line", many + "\n" + many + "1,x\n" + many, i4, `:6002: column 2: "x" is not a number of type int32`},
	} {
		t.Run(c.name, func(t *testing.T) {
			name := write(t, "a.csv", c.text)
			f, err := Open(name, c.of, 0)
			if err != nil {
				t.Fatal(err)
			}
			p := make([]byte, f.Rows*f.Cols*int(c.of.Size()))
			n, err := f.ReadAt(p, 0)
			if n == len(p) || err == nil || err.Error() != name+c.want {
				t.Errorf("reads %d bytes of %d, error %v; want the error %s%s", n, len(p), err, name, c.want)
			}
		})
	}
}

// TestTextCutLater cuts off a file that is open.
func TestTextCutLater(t *testing.T) {
	name := write(t, "a.csv", "1,2\n3,4\n5,6\n")
	f := open(t, name, reflect.TypeFor[uint8](), 2, 3, 2)
	if err := os.Truncate(name, 4); err != nil {
		t.Fatal(err)
	}
	p := make([]byte, 6)
	want := name + ": it has become shorter"
	if n, err := f.ReadAt(p, 0); n != 2 || err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("reads %d bytes, %v", n, err)
	}
}

// TestLongLines reads rows that are longer than the buffers of the reader, among short and empty ones.
func TestLongLines(t *testing.T) {
	const cols = 50000
	var text strings.Builder
	var want []int32
	for i := range 7 {
		for j := range cols {
			x := int32(i*cols + j)
			want = append(want, x)
			if j > 0 {
				text.WriteByte(',')
			}
			text.WriteString(strconv.Itoa(int(x)))
		}
		text.WriteString("\n" + strings.Repeat(" ", i*40000) + "\n")
	}
	f := open(t, write(t, "a.csv", text.String()), reflect.TypeFor[int32](), cols, 7, cols)
	all := inMemory(t, want)
	for row := range 7 {
		p, rowWant := make([]byte, 4*cols), all[4*cols*row:][:4*cols]
		if n, err := f.ReadAt(p, int64(4*cols*row)); n != len(p) || err != nil || !bytes.Equal(p, rowWant) {
			t.Errorf("row %d: %d bytes, %v", row, n, err)
		}
	}
	name := write(t, "b.csv", text.String()+"1,2\n")
	_, err := open(t, name, reflect.TypeFor[int32](), cols, 8, cols).ReadAt(make([]byte, 4), 7*4*cols)
	if err == nil || !strings.Contains(err.Error(), "b.csv:15: 2 numbers, where the first row has 50000") {
		t.Errorf("a short row after long ones: error %v", err)
	}
}

// manyRows returns text of rows of three numbers with a header, some empty lines and line ends of both
// kinds, and the numbers.
func manyRows(rows int) (string, []float64) {
	random := rand.New(rand.NewPCG(1, 2))
	text := []byte("a;b;c\r\n")
	var want []float64
	for i := range rows {
		for j := range 3 {
			x := math.Round(random.NormFloat64()*1e6) / 1000
			want = append(want, x)
			text = strconv.AppendFloat(text, x, 'g', -1, 64)
			if j < 2 {
				text = append(text, "; "...)
			}
		}
		text = append(text, []string{"\n", "\r\n", "\n\n", " \n"}[random.IntN(4)]...)
		if i%1000 == 999 {
			text = append(text, strings.Repeat("\n", 2000)...)
		}
	}
	return string(text), want
}

// TestManyRows reads random bytes of text of more rows than there are between two marks.
func TestManyRows(t *testing.T) {
	for _, rows := range []int{markEvery - 1, markEvery, markEvery + 1, 3*markEvery + 17} {
		text, want := manyRows(rows)
		f := open(t, write(t, "a.txt", text), reflect.TypeFor[float64](), 3, rows, 3)
		checkReads(t, f, inMemory(t, want))
	}
}

// TestGoroutines reads files from several goroutines.
func TestGoroutines(t *testing.T) {
	const rows = 3*markEvery + 17
	text, numbers := manyRows(rows)
	want := inMemory(t, numbers)
	for _, f := range []*File{
		open(t, write(t, "a.csv", text), reflect.TypeFor[float64](), 3, rows, 3),
		open(t, write(t, "a.npy", npy(1, "'>f8'", false, fmt.Sprintf("(%d, 3)", rows),
			encoded(t, binary.BigEndian, numbers))), reflect.TypeFor[float64](), 3, rows, 3),
	} {
		var all sync.WaitGroup
		for seed := range uint64(8) {
			all.Go(func() {
				random := rand.New(rand.NewPCG(seed, 0))
				for range 20 {
					lo := random.IntN(len(want))
					p := make([]byte, random.IntN(len(want)-lo))
					if n, err := f.ReadAt(p, int64(lo)); n != len(p) || err != nil || !bytes.Equal(p, want[lo:lo+n]) {
						t.Errorf("reading %d bytes at %d: %d, %v", len(p), lo, n, err)
					}
				}
			})
		}
		all.Wait()
	}
}

// TestTextForms parses random numbers in random forms of text.
func TestTextForms(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		rows, cols := rapid.IntRange(1, 30).Draw(t, "rows"), rapid.IntRange(1, 5).Draw(t, "cols")
		sep := rapid.SampledFrom([]string{",", ";", "\t", " ", " , ", "; ", "   "}).Draw(t, "separator")
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "line end")
		numbers := rapid.SliceOfN(rapid.Int16(), rows*cols, rows*cols).Draw(t, "numbers")
		var lines []string
		if rapid.Bool().Draw(t, "header") {
			lines = append(lines, "x"+strings.Repeat(sep+"y", cols-1))
		}
		for row := range slices.Chunk(numbers, cols) {
			for range rapid.IntRange(0, 2).Draw(t, "empty lines") {
				lines = append(lines, rapid.SampledFrom([]string{"", " ", "\t"}).Draw(t, "empty"))
			}
			var fields []string
			for _, x := range row {
				fields = append(fields, strconv.Itoa(int(x)))
			}
			lines = append(lines, strings.Join(fields, sep))
		}
		contents := rapid.SampledFrom([]string{"", "\xef\xbb\xbf"}).Draw(t, "start") + strings.Join(lines, end) +
			rapid.SampledFrom([]string{"", end, end + end}).Draw(t, "last end")
		name := filepath.Join(dir, "a.csv")
		if err := os.WriteFile(name, []byte(contents), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := Open(name, reflect.TypeFor[int16](), rapid.SampledFrom([]int{0, cols}).Draw(t, "cols wanted"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.ReaderAt.(*text).file.Close()
		got := make([]byte, 2*len(numbers))
		if _, err := f.ReadAt(got, 0); err != nil || f.Rows != rows || f.Cols != cols {
			t.Fatalf("%d x %d, %v; want %d x %d", f.Rows, f.Cols, err, rows, cols)
		}
		want, _ := binary.Append(nil, binary.NativeEndian, numbers)
		if !bytes.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}
