package seq

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func parse(text string) ([]Record, error) {
	return Read(context.Background(), "-", strings.NewReader(text))
}

func record(line int, name, comment, letters string) Record {
	return Record{Name: name, Comment: comment, Letters: []byte(letters), File: "standard input", Line: line}
}

func TestRead(t *testing.T) {
	for text, want := range map[string][]Record{
		">a\nACGT":                          {record(1, "a", "", "ACGT")},
		">a\nACGT\n":                        {record(1, "a", "", "ACGT")},
		">a\r\nAC\r\nGT\r\n\r\n":            {record(1, "a", "", "ACGT")},
		"\xef\xbb\xbf>a\nACGT\n":            {record(1, "a", "", "ACGT")},
		">a b\rAC\rGT\r":                    {record(1, "a", "b", "ACGT")},
		"\xfe\xff\x00>\x00a\x00\n\x00A":     {record(1, "a", "", "A")},
		"\n \t\n>a\nAC\n\nGT\n":             {record(3, "a", "", "ACGT")},
		">a\nacgtN\nMkl*\n":                 {record(1, "a", "", "ACGTNMKL*")},
		"> a  b c \nA C\tG T \n":            {record(1, "a", "b c", "ACGT")},
		">a\tb\nA\n>sp|P1|X_Y z\nC\n":       {record(1, "a", "b", "A"), record(3, "sp|P1|X_Y", "z", "C")},
		"; by hand\n>a\n;more\nAC\n;\nGT\n": {record(2, "a", "", "ACGT")},
		">a\nA\n>a\nA\n>a\nG": {record(1, "a", "", "A"), record(3, "a", "", "A"),
			record(5, "a", "", "G")},
	} {
		got, err := parse(text)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%q: %v %s", text, err, diff)
		}
	}
}

func TestBadFiles(t *testing.T) {
	long := strings.Repeat("A", 3<<20)
	for text, want := range map[string]string{
		"":                     ": the file is empty; a FASTA file starts with",
		"\n\n":                 ": the file has no sequence",
		"; only words\n":       ": the file has no sequence",
		"\n ACGT\n":            `:2:2: "ACGT" comes before the first name`,
		long:                   `:1:1: "AAAAAAAAAAAAAAAAAAAA..." comes before`,
		"@r1\nACGT\n+\nIIII\n": ":1:1: the line starts with '@': this looks like FASTQ",
		">a\n>b\nA\n":          `:1: sequence "a" has no letters`,
		">b\nA\n>a b\n \n":     `:3: sequence "a" has no letters`,
		">\nA\n":               ":1: the name after '>' is missing",
		">a\nAC\nA-C\n":        `:3:2: sequence "a": '-' is a gap`,
		">a\nAC.\n":            `:2:3: sequence "a": '.' is a gap`,
		">a\nAC1\n":            `:2:3: sequence "a": '1' is not a letter`,
		">a\nAC>b\n":           ":2:3: sequence \"a\": '>' is not a letter; a name must start its own line",
		">a\nACÄ\n":            `:2:3: sequence "a": 'Ä' is not a letter`,
		">a\nAC\x80\n":         `:2:3: sequence "a": the byte 0x80 is not a letter`,
		">a\rACGT\n":           ":1:3: a carriage return inside the line",
		">a\n" + long + "?":    `:2:3145729: sequence "a": '?' is not a letter`,
	} {
		_, err := parse(text)
		if err == nil || !strings.Contains(err.Error(), "standard input"+want) {
			t.Errorf("%.50q: %v, want %s", text, err, want)
		}
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	ctx := context.Background()
	plain, packed := filepath.Join(dir, "a.fa"), filepath.Join(dir, "b.fa")
	os.WriteFile(plain, []byte(">a\nACGT\n"), 0o666)
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	io.WriteString(w, ">a\nACGT\n")
	w.Close()
	os.WriteFile(packed, z.Bytes(), 0o666)
	for _, name := range []string{plain, packed} {
		got, err := Read(ctx, name, nil)
		want := []Record{{Name: "a", Letters: []byte("ACGT"), File: name, Line: 1}}
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v %s", name, err, diff)
		}
	}
	if got, err := Read(ctx, "-", bytes.NewReader(z.Bytes())); err != nil || len(got) != 1 {
		t.Errorf("packed standard input: %v, %v", got, err)
	}
	os.WriteFile(packed, z.Bytes()[:z.Len()-9], 0o666)
	if _, err := Read(ctx, packed, nil); err == nil || !strings.Contains(err.Error(), "cut off") ||
		!strings.Contains(err.Error(), packed) {
		t.Errorf("cut off: %v", err)
	}
	if _, err := Read(ctx, filepath.Join(dir, "none"), nil); err == nil ||
		!strings.Contains(err.Error(), "none: no such file") {
		t.Errorf("missing: %v", err)
	}
	if _, err := Read(ctx, "-", nil); err == nil {
		t.Error("no standard input: no error")
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Read(cancelled, plain, nil); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

// TestAnyLayout writes sequences in some layout and reads them back.
func TestAnyLayout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want []Record
		var text strings.Builder
		line := 1
		end := rapid.SampledFrom([]string{"\n", "\r\n", " \n", "\n\n"}).Draw(t, "end")
		for i := range rapid.IntRange(1, 5).Draw(t, "records") {
			letters := rapid.StringMatching(`[A-Z*]{1,200}`).Draw(t, "letters")
			comment := rapid.StringMatching(`([a-z>=;]{1,5} ?[a-z]{1,5})?`).Draw(t, "comment")
			r := record(line, fmt.Sprint("s", i), comment, letters)
			want = append(want, r)
			fmt.Fprintf(&text, ">%s %s%s", r.Name, r.Comment, end)
			line += strings.Count(end, "\n")
			if rapid.Bool().Draw(t, "lower case") {
				letters = strings.ToLower(letters)
			}
			for width := rapid.IntRange(1, 80).Draw(t, "width"); letters != ""; line += strings.Count(end, "\n") {
				n := min(width, len(letters))
				text.WriteString(letters[:n] + end)
				letters = letters[n:]
			}
		}
		got, err := parse(text.String())
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%v %s", err, diff)
		}
	})
}

func TestAnyTextIsNoPanic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOfN(rapid.SampledFrom([]byte(">>aab*;@-. \t\r\n\n\x80é")), 0, 60).Draw(t, "text"))
		records, err := parse(text)
		if err != nil && !strings.HasPrefix(err.Error(), "standard input:") || err == nil && len(records) == 0 {
			t.Errorf("%q: %v, %v", text, records, err)
		}
		for _, r := range records {
			if len(r.Letters) == 0 || r.Name == "" {
				t.Errorf("%q: %+v", text, r)
			}
		}
	})
}

// FuzzRead checks that every file is a list of sequences with letters, or an error that names the file.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		">a b\nACGT\n;c\n>d\nA*\n", "\xff\xfe>\x00a\x00\n\x00A\x00", "@r\nA\n+\nI\n", ">\n", ">a\n\x1f\x8b\x08",
		"\x1f\x8b\x08\x00\x00\x00\x00\x00", ">a\rA\r>b\rC\r",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		records, err := parse(text)
		if err != nil && !strings.Contains(err.Error(), "standard input:") || err == nil && len(records) == 0 {
			t.Errorf("%q: %v, %v", text, records, err)
		}
		for _, r := range records {
			if len(r.Letters) == 0 || len(bytes.Trim(r.Letters, "ABCDEFGHIJKLMNOPQRSTUVWXYZ*")) > 0 {
				t.Errorf("%q: %+v", text, r)
			}
		}
	})
}

// TestExamples checks the sequences of the examples: their lengths, and the masses of the
// proteins in daltons, which depend on every letter.
func TestExamples(t *testing.T) {
	mass := map[byte]float64{ // average masses of residues
		'A': 71.0788, 'C': 103.1388, 'D': 115.0886, 'E': 129.1155, 'F': 147.1766, 'G': 57.0519, 'H': 137.1411,
		'I': 113.1594, 'K': 128.1741, 'L': 113.1594, 'M': 131.1926, 'N': 114.1038, 'P': 97.1167, 'Q': 128.1307,
		'R': 156.1875, 'S': 87.0782, 'T': 101.1051, 'V': 99.1326, 'W': 186.2132, 'Y': 163.1760,
	}
	type example struct {
		file, name      string
		letters, dalton int
	}
	var got []example
	for _, file := range []string{"hba_human", "hba_mouse", "hbb_human", "cytc_human", "cytc", "trna"} {
		records, err := Read(context.Background(), "../testdata/"+file+".fasta", nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			e := example{file: file, name: r.Name, letters: len(r.Letters)}
			if file != "trna" {
				sum := 18.0153 // water
				for _, c := range r.Letters {
					sum += mass[c]
				}
				e.dalton = int(sum + 0.5)
			}
			got = append(got, e)
		}
	}
	want := []example{
		{"hba_human", "HBA_HUMAN", 142, 15258},
		{"hba_mouse", "HBA_MOUSE", 142, 15085},
		{"hbb_human", "HBB_HUMAN", 147, 15998},
		{"cytc_human", "CYC_HUMAN", 105, 11749},
		{"cytc", "CYC_MOUSE", 105, 11605},
		{"cytc", "CYC_HORSE", 105, 11833},
		{"cytc", "CYC_CHICK", 105, 11711},
		{"cytc", "CYC1_YEAST", 109, 12182},
		{"trna", "tRNA-Phe_yeast", 76, 0},
		{"trna", "tRNA-Phe_ecoli", 76, 0},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(example{})); diff != "" {
		t.Error(diff)
	}
}

// TestMemory reads a large file of a single line and checks how much was allocated.
func TestMemory(t *testing.T) {
	const letters = 64 << 20
	name := filepath.Join(t.TempDir(), "a.fa")
	os.WriteFile(name, append([]byte(">a\n"), bytes.Repeat([]byte("acgtACGT"), letters/8)...), 0o666)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	records, err := Read(context.Background(), name, nil)
	runtime.ReadMemStats(&after)
	if err != nil || len(records) != 1 || len(records[0].Letters) != letters {
		t.Fatalf("%d records, %v", len(records), err)
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > letters+letters/16 {
		t.Errorf("%d bytes allocated for %d letters", got, letters)
	}
}

// TestGrowing reads a pipe, whose length is not known.
func TestGrowing(t *testing.T) {
	var text bytes.Buffer
	want := []int{1, 5 << 20, 1 << 20, 3, 9 << 20}
	for i, n := range want {
		fmt.Fprintf(&text, ">%d\n%s\n", i, bytes.Repeat([]byte{'A' + byte(i)}, n))
	}
	records, err := Read(context.Background(), "-", &text)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range records {
		if !bytes.Equal(r.Letters, bytes.Repeat([]byte{'A' + byte(i)}, want[i])) {
			t.Errorf("record %d: %d letters, %.10s...", i, len(r.Letters), r.Letters)
		}
	}
}

func TestPairs(t *testing.T) {
	numbered := func(file string, n int) (records []Record) {
		for i := range n {
			records = append(records, Record{Name: fmt.Sprint(file, i), File: file})
		}
		return records
	}
	for _, test := range []struct {
		a, b int // b < 0: no second file
		want string
	}{
		{1, 1, "A0-B0 "},
		{3, 3, "A0-B0 A1-B1 A2-B2 "},
		{1, 3, "A0-B0 A0-B1 A0-B2 "},
		{3, 1, "A0-B0 A1-B0 A2-B0 "},
		{4, -1, "A0-A1 A2-A3 "},
		{2, 3, "A has 2 sequences and B has 3 sequences: " +
			"both must have the same number, or one of them a single sequence"},
		{3, -1, "A has 3 sequences; a single file must hold pairs: first and second, third and fourth, and so on"},
		{1, -1, "A has 1 sequence; a single file must hold pairs: first and second, third and fourth, and so on"},
		{0, 1, "there are no sequences to align"},
	} {
		var b []Record
		if test.b >= 0 {
			b = numbered("B", test.b)
		}
		pairs, err := Pairs(numbered("A", test.a), b)
		got := ""
		for _, p := range pairs {
			got += p.A.Name + "-" + p.B.Name + " "
		}
		if err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%d and %d: %s, want %s", test.a, test.b, got, test.want)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	for _, width := range []int{60, 64 << 20} {
		b.Run(fmt.Sprintf("width=%d", width), func(b *testing.B) {
			const letters = 64 << 20
			var text bytes.Buffer
			text.WriteString(">a\n")
			for n := 0; n < letters; n += width {
				text.Write(bytes.Repeat([]byte("A"), min(width, letters-n)))
				text.WriteByte('\n')
			}
			name := filepath.Join(b.TempDir(), "a.fa")
			os.WriteFile(name, text.Bytes(), 0o666)
			b.SetBytes(int64(text.Len()))
			for b.Loop() {
				if _, err := Read(context.Background(), name, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
