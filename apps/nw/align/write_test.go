package align

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/apps/nw/subst"
)

// write returns what a writer writes.
func write(t *testing.T, f Format, job Job, alignments ...*Alignment) string {
	t.Helper()
	var text strings.Builder
	w, err := NewWriter(&text, f, job)
	if err != nil {
		t.Fatal(err)
	}
	var ahead sync.WaitGroup // whether alignments are prepared makes no difference
	for i, a := range alignments {
		if i%2 == 0 {
			ahead.Go(func() {
				if err := w.Prepare(a); err != nil {
					t.Error(err)
				}
			})
		}
	}
	ahead.Wait()
	for _, a := range alignments {
		if err := w.Write(a); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// example is the paper's pair, a job of the mode, and an alignment of them.
func example(t *testing.T, mode Mode, path string) (Job, *Alignment) {
	t.Helper()
	p := seq.Pair{A: record("SYE", "SYEDVV"), B: record("NYC", "NYCDV")}
	job := Job{
		Scoring: Scoring{Matrix: blosum62(t), Open: 3, Extend: 3, Mode: mode},
		Pairs:   []seq.Pair{p}, Program: "skelgo nw", Version: "1.2", CommandLine: "skelgo nw\tsye.fa nyc.fa",
	}
	a := New(p, 11, nil)
	if path != "" {
		var err error
		if a.Path, err = ParseCigar(path); err != nil {
			t.Fatal(err)
		}
	}
	a.Cells, a.Seconds, a.Device = 30, 0.0012345678, "cuda:0"
	return job, a
}

func TestFormats(t *testing.T) {
	job, a := example(t, Global, "1X1=1X2=1D")
	a.Count = big.NewInt(2)
	local, part := example(t, Local, "1=1X2=")
	part.Score, part.StartA, part.EndA, part.StartB, part.EndB = 13, 1, 5, 1, 5
	semi, inside := example(t, SemiGlobal, "1X1=1X2=")
	semi.Free = Ends{EndA: true, StartB: true}
	inside.Score, inside.EndA = 14, 5
	_, nothing := example(t, Local, "*")
	nothing.Score, nothing.StartA, nothing.EndA, nothing.StartB, nothing.EndB = 0, 2, 2, 0, 0
	_, score := example(t, Global, "")

	const tsvHead = "a\tlength_a\tstart_a\tend_a\tb\tlength_b\tstart_b\tend_b\t" +
		"score\tlength\tidentity\tsimilarity\tgaps\tgap_opens\tcigar\tcount\tcells\tseconds\tdevice\n"
	samHead := func(mode string) string {
		return "@HD\tVN:1.6\tSO:unsorted\n@SQ\tSN:SYE\tLN:6\n" +
			"@PG\tID:skelgo-nw\tPN:skelgo-nw\tVN:1.2\tCL:skelgo nw sye.fa nyc.fa\n" +
			"@CO\t" + mode + ", matrix BLOSUM62, gap open 3, extend 3\n"
	}
	const jsonPair = `{"a":"SYE","length_a":6,%s"b":"NYC","length_b":5,%s"mode":"%s",%s"matrix":"BLOSUM62",` +
		`"open":3,"extend":3,"score":%d,%s"cells":30,"seconds":0.0012345678,"device":"cuda:0"}` + "\n"
	for _, test := range []struct {
		what   string
		format Format
		job    Job
		a      *Alignment
		want   string
	}{
		{"global", SAM, job, a,
			samHead("global") + "NYC\t0\tSYE\t1\t255\t1X1=1X2=1D\t*\t0\t0\tNYCDV\t*\tAS:i:11\tNM:i:3\n"},
		{"local", SAM, local, part,
			samHead("local") + "NYC\t0\tSYE\t2\t255\t1S1=1X2=\t*\t0\t0\tNYCDV\t*\tAS:i:13\tNM:i:1\n"},
		{"semi-global", SAM, semi, inside, samHead("semiglobal (free: end_a, start_b)") +
			"NYC\t0\tSYE\t1\t255\t1X1=1X2=\t*\t0\t0\tNYCDV\t*\tAS:i:14\tNM:i:2\n"},
		{"nothing", SAM, local, nothing, samHead("local") + "NYC\t4\t*\t0\t255\t*\t*\t0\t0\tNYCDV\t*\tAS:i:0\n"},

		{"global", PAF, job, a, "NYC\t5\t0\t5\t+\tSYE\t6\t0\t6\t3\t6\t255\tAS:i:11\tNM:i:3\tcg:Z:1X1=1X2=1D\n"},
		{"local", PAF, local, part, "NYC\t5\t1\t5\t+\tSYE\t6\t1\t5\t3\t4\t255\tAS:i:13\tNM:i:1\tcg:Z:1=1X2=\n"},
		{"nothing", PAF, local, nothing, "NYC\t5\t0\t0\t*\t*\t0\t0\t0\t0\t0\t255\tAS:i:0\n"},
		{"score", PAF, job, score, "NYC\t5\t0\t5\t+\tSYE\t6\t0\t6\t0\t0\t255\tAS:i:11\n"},

		{"global", TSV, job, a,
			tsvHead + "SYE\t6\t0\t6\tNYC\t5\t0\t5\t11\t6\t3\t4\t1\t1\t1X1=1X2=1D\t2\t30\t0.00123457\tcuda:0\n"},
		{"local", TSV, local, part,
			tsvHead + "SYE\t6\t1\t5\tNYC\t5\t1\t5\t13\t4\t3\t3\t0\t0\t1=1X2=\tNA\t30\t0.00123457\tcuda:0\n"},
		{"score", TSV, job, score,
			tsvHead + "SYE\t6\t0\t6\tNYC\t5\t0\t5\t11\tNA\tNA\tNA\tNA\tNA\tNA\tNA\t30\t0.00123457\tcuda:0\n"},
		{"local score", TSV, local, score,
			tsvHead + "SYE\t6\tNA\tNA\tNYC\t5\tNA\tNA\t11\tNA\tNA\tNA\tNA\tNA\tNA\tNA\t30\t0.00123457\tcuda:0\n"},

		{"global", JSON, job, a, fmt.Sprintf(jsonPair, `"start_a":0,"end_a":6,`, `"start_b":0,"end_b":5,`,
			"global", "", 11,
			`"length":6,"identity":3,"similarity":4,"gaps":1,"gap_opens":1,"cigar":"1X1=1X2=1D","count":2,`)},
		{"semi-global", JSON, semi, inside, fmt.Sprintf(jsonPair, `"start_a":0,"end_a":5,`, `"start_b":0,"end_b":5,`,
			"semiglobal", `"free":["end_a","start_b"],`, 14,
			`"length":5,"identity":3,"similarity":4,"gaps":0,"gap_opens":0,"cigar":"1X1=1X2=",`)},
		{"nothing", JSON, local, nothing, fmt.Sprintf(jsonPair, `"start_a":2,"end_a":2,`, `"start_b":0,"end_b":0,`,
			"local", "", 0,
			`"length":0,"identity":0,"similarity":0,"gaps":0,"gap_opens":0,"cigar":"",`)},
		{"score", JSON, job, score, fmt.Sprintf(jsonPair, `"start_a":0,"end_a":6,`, `"start_b":0,"end_b":5,`,
			"global", "", 11, "")},
		{"local score", JSON, local, score, fmt.Sprintf(jsonPair, "", "", "local", "", 11, "")},
	} {
		if diff := cmp.Diff(test.want, write(t, test.format, test.job, test.a)); diff != "" {
			t.Errorf("%s of %s: %s", test.format, test.what, diff)
		}
	}
}

// TestEmptyPair shows a local alignment without columns.
func TestEmptyPair(t *testing.T) {
	local, nothing := example(t, Local, "*")
	nothing.Score, nothing.EndA, nothing.EndB = 0, 0, 0
	text := write(t, Pair, local, nothing)
	if !strings.Contains(text, "# Length: 0\n# Identity:       0/0 ( 0.0%)\n") || strings.Contains(text, "SYE  ") {
		t.Error(text)
	}
}

func TestCountInPair(t *testing.T) {
	job, a := example(t, Global, "1X1=1X2=1D")
	a.Count, _ = new(big.Int).SetString("123456789012345678901234567890", 10)
	if text := write(t, Pair, job, a); !strings.Contains(text,
		"\n# Score: 11.0\n# Alignments_with_this_score: 123456789012345678901234567890\n") {
		t.Error(text)
	}
	var o map[string]any
	d := json.NewDecoder(strings.NewReader(write(t, JSON, job, a)))
	d.UseNumber()
	if err := d.Decode(&o); err != nil || o["count"] != json.Number("123456789012345678901234567890") {
		t.Error(o, err)
	}
}

// TestAlignedColumns writes a path that does not tell matches from mismatches.
func TestAlignedColumns(t *testing.T) {
	job, a := example(t, Global, "5M1D")
	if text := write(t, PAF, job, a); !strings.HasSuffix(text, "\tcg:Z:1X1=1X2=1D\n") {
		t.Error(text)
	}
	if a.Path.String() != "5M1D" {
		t.Errorf("the path was changed to %s", a.Path)
	}
}

func TestNeedsPath(t *testing.T) {
	for _, f := range Formats() {
		job, a := example(t, Global, "")
		w, err := NewWriter(&strings.Builder{}, f, job)
		if err != nil {
			t.Fatal(err)
		}
		err = w.Write(a)
		if needs := f == Pair || f == SAM; f.NeedsPath() != needs || (err != nil) != needs {
			t.Errorf("%s: %v, %v", f, f.NeedsPath(), err)
		}
		want := fmt.Sprintf("alignment of SYE and NYC: only its score is known, but the format %s shows paths; "+
			"use paf, tsv or json", f)
		if err != nil && err.Error() != want {
			t.Error(err)
		}
	}
}

func TestBadOutput(t *testing.T) {
	job, a := example(t, Global, "5=1D")
	w, err := NewWriter(&strings.Builder{}, JSON, job)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(a); err == nil ||
		!strings.Contains(err.Error(), "the path has = for letters 0 and 0, which are S and N") {
		t.Error(err)
	}
	if _, err := NewWriter(&strings.Builder{}, "xml", job); err == nil ||
		err.Error() != `no format "xml"; available: pair, sam, paf, tsv, json` {
		t.Error(err)
	}
}

// full is a disk with no space left.
type full struct{}

var errFull = errors.New("no space")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestFullDisk(t *testing.T) {
	for _, f := range Formats() {
		job, a := example(t, Global, "1X1=1X2=1D")
		w, err := NewWriter(full{}, f, job)
		if err != nil {
			t.Fatal(err)
		}
		for range 3000 { // more than fits the buffer
			if err = w.Write(a); err != nil {
				break
			}
		}
		if !errors.Is(err, errFull) || !errors.Is(w.Close(), errFull) {
			t.Errorf("%s: %v", f, err)
		}
	}
}

func TestNamesInSAM(t *testing.T) {
	pair := func(a, b string) seq.Pair { return seq.Pair{A: record(a, "ACGT"), B: record(b, "ACGT")} }
	again := pair("x", "y")
	other := seq.Pair{A: record("x", "ACGA"), B: record("y", "A")}
	for _, test := range []struct {
		pairs []seq.Pair
		want  string // the error, or the number of references
	}{
		{[]seq.Pair{pair("sp|P69905|HBA_HUMAN", "r*=1,(2)")}, "1"},
		{[]seq.Pair{again, again, pair("x", "z"), pair("w", "z")}, "2"},
		{[]seq.Pair{again, other},
			`x.fa:1: sequence "x" has the same name as another one at x.fa:1, and SAM identifies references by name`},
		{[]seq.Pair{pair("a,b", "y")}, `a,b.fa:1: sequence "a,b": SAM does not allow names with ','`},
		{[]seq.Pair{pair("*a", "y")}, `SAM does not allow names that start with '*'`},
		{[]seq.Pair{pair("x", "y@z")}, `SAM does not allow names with '@'`},
		{[]seq.Pair{pair("x", "é")}, `SAM does not allow names with 'é'`},
		{[]seq.Pair{pair("x", strings.Repeat("y", 255))}, `SAM does not allow names of more than 254 characters`},
		{[]seq.Pair{pair("x", "")}, `SAM does not allow sequences without a name`},
	} {
		var text strings.Builder
		job := Job{Scoring: Scoring{Matrix: blosum62(t), Mode: Global}, Pairs: test.pairs}
		w, err := NewWriter(&text, SAM, job)
		if err == nil {
			w.Close()
			if got := fmt.Sprint(strings.Count(text.String(), "@SQ")); got != test.want {
				t.Errorf("%s references, want %s", got, test.want)
			}
		} else if !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
}

// TestStopInSAM writes a sequence with a stop, which SAM cannot show; it shows the alignment.
func TestStopInSAM(t *testing.T) {
	p := seq.Pair{A: record("a", "MK*"), B: record("b", "MK*")}
	job := Job{Scoring: Scoring{Matrix: blosum62(t), Open: 11, Extend: 1, Mode: Global}, Pairs: []seq.Pair{p},
		Program: "nw"}
	text := write(t, SAM, job, New(p, 11, Cigar{{Match, 3}}))
	if !strings.HasSuffix(text, "b\t0\ta\t1\t255\t3=\t*\t0\t0\t*\t*\tAS:i:11\tNM:i:0\n") {
		t.Error(text)
	}
}

// TestUnknownLetters writes letters that are not in the matrix and count as X.
func TestUnknownLetters(t *testing.T) {
	m, err := blosum62(t).WithUnknownAs('X')
	if err != nil {
		t.Fatal(err)
	}
	p := seq.Pair{A: record("a", "MUK"), B: record("b", "MAK")}
	s := Scoring{Matrix: m, Open: 11, Extend: 1, Mode: Global}
	a := New(p, 10, Cigar{{Match, 1}, {Mismatch, 1}, {Match, 1}})
	if score, err := a.Rescore(s); err != nil || score != 10 { // MM 5, XA 0, KK 5
		t.Error(score, err)
	}
	if text := write(t, Pair, Job{Scoring: s}, a); !strings.Contains(text, " |.|\n") {
		t.Error(text)
	}
	_, err = a.Rescore(Scoring{Matrix: blosum62(t), Open: 11, Extend: 1, Mode: Global})
	if !errors.As(err, new(*subst.UnknownError)) {
		t.Error(err)
	}
}

// BenchmarkWriter writes an alignment of two sequences of 1000 letters.
func BenchmarkWriter(b *testing.B) {
	matrix, err := subst.Lookup("BLOSUM62")
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(7, 7))
	letters := func() []byte {
		list := make([]byte, 1000)
		for i := range list {
			list[i] = "ARNDCQEGHILKMFPSTWYV"[rng.IntN(20)]
		}
		return list
	}
	p := seq.Pair{A: &seq.Record{Name: "a", Letters: letters()}, B: &seq.Record{Name: "b", Letters: letters()}}
	var path Cigar
	x, y := 0, 0
	for x < 1000 || y < 1000 {
		switch r := rng.IntN(12); {
		case x < 1000 && (r == 0 || y == 1000):
			path.Add(Delete, 1)
			x++
		case y < 1000 && (r == 1 || x == 1000):
			path.Add(Insert, 1)
			y++
		default:
			op := Mismatch
			if p.A.Letters[x] == p.B.Letters[y] {
				op = Match
			}
			path.Add(op, 1)
			x++
			y++
		}
	}
	a := New(p, 12, path)
	for _, f := range Formats() {
		b.Run(fmt.Sprintf("format=%s", f), func(b *testing.B) {
			w, err := NewWriter(io.Discard, f, Job{
				Scoring: Scoring{Matrix: matrix, Open: 11, Extend: 1, Mode: Global}, Pairs: []seq.Pair{p},
				Program: "bench",
			})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if err := w.Write(a); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
