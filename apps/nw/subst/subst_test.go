package subst

import (
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/skelgo/skelgo/apps/nw/seq"
)

// TestKnown compares the known matrices with checksums of those of EMBOSS 6.6, which equal
// those of Biopython 1.80 and parasail 2.6.
func TestKnown(t *testing.T) {
	type sums struct {
		min, max, sum int
		crc           uint32 // of the letters, and of each score after a blank
	}
	emboss := map[string]sums{
		"BLOSUM45": {-5, 15, -689, 0x22d44aae},
		"BLOSUM50": {-5, 15, -814, 0xcae68f4a},
		"BLOSUM62": {-4, 11, -726, 0x3a578262},
		"BLOSUM80": {-8, 16, -1572, 0x48b5108c},
		"BLOSUM90": {-6, 11, -1233, 0x02adc376},
		"PAM30":    {-17, 13, -3678, 0x763e1215},
		"PAM70":    {-11, 13, -2140, 0x6db715d5},
		"PAM250":   {-8, 17, -932, 0x116016f0},
		"DNAFULL":  {-4, 5, -440, 0x49f0145b},
	}
	for _, name := range Names() {
		m, err := Lookup(strings.ToLower(name))
		if err != nil {
			t.Fatal(err)
		}
		got := sums{min: m.Min(), max: m.Max()}
		text := m.Letters()
		for _, s := range m.Table() {
			got.sum += int(s)
			text += fmt.Sprint(" ", s)
		}
		got.crc = crc32.ChecksumIEEE([]byte(text))
		if got != emboss[name] {
			t.Errorf("%s: %+v, want %+v", name, got, emboss[name])
		}
		if again, _ := Lookup("E" + name); again != m || m.Name() != name || !m.Symmetric() {
			t.Errorf("%s: %v, name %s, symmetric %v", name, again == m, m.Name(), m.Symmetric())
		}
	}
	if len(Names()) != len(emboss) {
		t.Errorf("%d names", len(Names()))
	}
}

// TestRodiniaRows checks the order of BLOSUM62's letters, which Rodinia's data rely on.
func TestRodiniaRows(t *testing.T) {
	m, err := Lookup("BLOSUM62")
	if err != nil {
		t.Fatal(err)
	}
	if m.Letters() != "ARNDCQEGHILKMFPSTWYVBZX*" {
		t.Error(m.Letters())
	}
}

func TestParse(t *testing.T) {
	const text = "\ufeff# words\r\n\r\n\ta  C *\r\n* -1 -2 1\r\n# more\r\nC\t0 9 -2\r\na 4 3 -1\r\n"
	m, err := Parse(strings.NewReader(text), "m")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int32{1, -2, -1, -2, 9, 0, -1, 3, 4}, m.Table()); m.Letters() != "*CA" || diff != "" {
		t.Errorf("letters %s %s", m.Letters(), diff)
	}
	if m.Score('A', 'C') != 3 || m.Score('c', 'A') != 0 || m.Symmetric() || m.Min() != -2 || m.Max() != 9 ||
		m.Size() != 3 {
		t.Error(m)
	}
	if !m.Has('a') || !m.Has('*') || m.Has('J') {
		t.Error("Has")
	}
}

func TestBadMatrices(t *testing.T) {
	for text, want := range map[string]string{
		"":              "m: the file has no matrix",
		"# nothing\n\n": "m: the file has no matrix",
		"A AB\nA 1 2\n": `m:1:3: "AB" is not a letter: ` +
			`the first line of a matrix has the letters of its columns`,
		"1 2\n2 1\n":                   `m:1:1: "1" is not a letter: the first line`,
		"A - C\n":                      `m:1:3: "-" is not a letter`,
		"A R a\n":                      "m:1:5: there are two columns A",
		"A R\nA 1 2\nA 2 1\n":          "m:3:1: there are two rows A",
		"A R\nA 1 2\nC 2 1\n":          "m:3:1: there is a row C but no column C",
		"A R\nA 1 2\n":                 "m: there is a column R but no row R",
		"A R\n":                        "m: there is a column A but no row A",
		"A R\n1 2\n2 1\n":              "m:2:1: the row starts with the number 1 instead of its letter",
		"A R\nA 1 2\nRR 1 2\n":         `m:3:1: "RR" is not a letter; a row starts with its letter`,
		"A R\nA 1\nR 1 2\n":            "m:2: row A has 1 number; it must have 2, one for each column",
		"A R\nA 1 2\nR 1 2 3\n":        "m:3:7: row R has 3 numbers; it must have 2, one for each column",
		"A R\nA 1.5 2\n":               `m:2:3: row A: "1.5" is not an integer`,
		"A R\nA 1 two\n":               `m:2:5: row A: "two" is not an integer`,
		"A\nA 1000001\n":               "m:2:3: row A: 1000001 is out of range; scores go from -1000000 to 1000000",
		"A\nA -99999999999999999999\n": "m:2:3: row A: -99999999999999999999 is out of range",
		"A\n" + strings.Repeat("A 1 ", 1<<15) + "\n": "m:2: the line is too long for a row",
	} {
		if _, err := Parse(strings.NewReader(text), "m"); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.40q: %v, want %s", text, err, want)
		}
	}
}

func TestAnyMatrix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		columns := rapid.Permutation([]byte("ACGTN*W")).Draw(t, "columns")[:rapid.IntRange(1, 7).Draw(t, "size")]
		rows := rapid.Permutation(columns).Draw(t, "rows")
		want := map[[2]byte]int{}
		text := strings.Join(strings.Split(string(columns), ""), " ") + "\n"
		for _, r := range rows {
			text += string(r)
			for _, c := range columns {
				want[[2]byte{r, c}] = rapid.IntRange(-Limit, Limit).Draw(t, "score")
				text += fmt.Sprint("\t", want[[2]byte{r, c}])
			}
			text += "\n"
		}
		m, err := Parse(strings.NewReader(text), "m")
		if err != nil {
			t.Fatal(err)
		}
		for pair, v := range want {
			codes, err := m.Encode(pair[:], 0)
			if err != nil {
				t.Fatal(err)
			}
			if m.Score(pair[0], pair[1]) != v || int(m.Table()[int(codes[0])*m.Size()+int(codes[1])]) != v {
				t.Errorf("%s: %d, want %d", pair, m.Score(pair[0], pair[1]), v)
			}
		}
		if m.Letters() != string(rows) {
			t.Errorf("letters %s, want %s", m.Letters(), rows)
		}
	})
}

func TestAnyTextIsNoPanic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[AC*#1é \t\n-]{0,40}`).Draw(t, "text")
		if m, err := Parse(strings.NewReader(text), "m"); err == nil && len(m.Table()) != m.Size()*m.Size() ||
			err != nil && m != nil {
			t.Errorf("%q: %v, %v", text, m, err)
		}
	})
}

// FuzzParse checks that every text is a whole matrix or an error.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"# c\n  A C\nA 1 -1\nC -1 1\n", " A\nA 1e9", "\ufeffA\n", "A\tB *\n* 1 2 3", "A A\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if m, err := Parse(strings.NewReader(text), "m"); err == nil && len(m.Table()) != m.Size()*m.Size() ||
			err != nil && (m != nil || err.Error() == "") {
			t.Errorf("%q: %v, %v", text, m, err)
		}
	})
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "my.mat")
	os.WriteFile(name, []byte("A C\nA 1 -1\nC -1 1\n"), 0o666)
	m, err := Open(name)
	if err != nil || m.Name() != name || m.Score('A', 'C') != -1 {
		t.Errorf("%v, %v", m, err)
	}
	if m, err := Open("eblosum62"); err != nil || m.Name() != "BLOSUM62" {
		t.Errorf("%v, %v", m, err)
	}
	if _, err := Open(filepath.Join(dir, "none")); err == nil ||
		!strings.Contains(err.Error(), "available: BLOSUM45") || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("missing: %v", err)
	}
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("folder: %v", err)
	}
}

func TestEncode(t *testing.T) {
	m, err := Lookup("BLOSUM62")
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.Append([]byte{7}, []byte("ARNa*"), 0)
	if diff := cmp.Diff([]byte{7, 0, 1, 2, 0, 23}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if got, err = m.Encode([]byte("AUA"), 'x'); err != nil || got[1] != 22 {
		t.Error(got, err)
	}
	if _, err := m.Encode([]byte("A"), 'U'); err == nil || !strings.Contains(err.Error(), `cannot be treated as 'U'`) {
		t.Error(err)
	}
	all, err := m.WithUnknownAs('X')
	if err != nil {
		t.Fatal(err)
	}
	if all.Score('U', 'u') != m.Score('X', 'X') || all.Score('O', 'W') != m.Score('X', 'W') ||
		all.Score('A', 'R') != -1 || !all.Has('J') || m.Has('J') || all.Has('-') {
		t.Error("WithUnknownAs")
	}
	_, err = m.Encode([]byte("AAO"), 0)
	want := &UnknownError{Letter: 'O', Position: 3, Matrix: m}
	if e, ok := err.(*UnknownError); !ok || *e != *want {
		t.Error(err)
	}
	r := &seq.Record{Name: "s", Letters: []byte("MU"), File: "f.fa", Line: 7}
	if err := all.Check(r); err != nil {
		t.Error(err)
	}
	const message = `f.fa:7: sequence "s": letter 'U' at position 2 is not in the matrix BLOSUM62, ` +
		"which has ARNDCQEGHILKMFPSTWYVBZX*"
	if _, err := m.EncodeRecord(r, 0); err == nil || m.Check(r).Error() != err.Error() || err.Error() != message {
		t.Error(err)
	}
}

func TestScorePanics(t *testing.T) {
	m, err := Lookup("PAM30")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if got := recover(); got != `subst: PAM30 has no score of 'A' against 'J'` {
			t.Error(got)
		}
	}()
	m.Score('A', 'J')
}

// TestDNAFull compares DNA(5, -4) with EMBOSS's matrix, which was made by hand.
func TestDNAFull(t *testing.T) {
	full, err := Lookup("DNAFULL")
	if err != nil {
		t.Fatal(err)
	}
	m, err := DNA(5, -4)
	if err != nil {
		t.Fatal(err)
	}
	if len(full.Letters()) != m.Size() || !m.Symmetric() {
		t.Error(m.Letters())
	}
	for _, a := range full.letters {
		for _, b := range full.letters {
			far := 0
			if !strings.ContainsRune("ACGTU", rune(a)) && !strings.ContainsRune("ACGTU", rune(b)) {
				far = 2
			}
			if d := m.Score(a, b) - full.Score(a, b); d > far || d < -far {
				t.Errorf("%c against %c: %d, EMBOSS has %d", a, b, m.Score(a, b), full.Score(a, b))
			}
		}
	}
}

func TestDNA(t *testing.T) {
	m, err := DNA(1, -3)
	if err != nil {
		t.Fatal(err)
	}
	for pair, want := range map[string]int{
		"AA": 1, "AC": -3, "TU": 1, "UU": 1, "GU": -3,
		"AN": -2, "NN": -2, "AR": -1, "RR": -1, "RY": -3, "RS": -2, // -8/4, -32/16, -2/2, -4/4, -3, -8/4
		"AB": -3, "AV": -2, "BV": -2, // -3, -5/3, -19/9
	} {
		if got := m.Score(pair[0], pair[1]); got != want {
			t.Errorf("%s: %d, want %d", pair, got, want)
		}
	}
	half, err := DNA(2, -1)
	if err != nil || half.Score('A', 'R') != 1 || half.Score('A', 'N') != 0 { // 0.5 and -0.25
		t.Errorf("%v %d %d", err, half.Score('A', 'R'), half.Score('A', 'N'))
	}
	for _, bad := range [][2]int{{1, 1}, {-1, 2}, {Limit + 1, 0}, {0, -Limit - 1}} {
		if _, err := DNA(bad[0], bad[1]); err == nil {
			t.Errorf("%v was accepted", bad)
		}
	}
}
