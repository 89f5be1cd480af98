//go:build ignore

// Command make makes others.tsv.gz: random pairs of sequences and the scores of their best
// alignments by other programs. It needs parasail 2.6 and EMBOSS 6.6 (on Debian: apt-get
// install libparasail-dev emboss), and runs in this folder:
//
//	cc -O2 -o /tmp/parasail parasail.c -lparasail && go run make.go /tmp/parasail
//
// A line has these fields, separated by tabs: the mode, the free ends, the matrix, gap open
// and extend, A, B, the score by parasail, and the score by EMBOSS or a blank field: needle
// with all ends free, needle -endweight and stretcher with none, water for a local alignment.
// EMBOSS runs only where it finds the optimum: in some places its programs do not consider a
// gap in A next to a gap in B, which matters if gaps are cheap, and for very short sequences
// they are wrong.
package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

const pairs = 3000

// question is a line's first seven fields.
type question struct {
	mode, free, matrix string
	open, extend       int
	a, b               string
}

func (q question) String() string {
	fields := []string{q.mode, q.free, q.matrix, strconv.Itoa(q.open), strconv.Itoa(q.extend), q.a, q.b}
	return strings.Join(fields, "\t")
}

func main() {
	log.SetFlags(0)
	r := rand.New(rand.NewPCG(2026, 11))
	var questions []question
	var lines bytes.Buffer
	for i := range pairs {
		q := ask(r, i)
		questions = append(questions, q)
		fmt.Fprintln(&lines, q)
	}
	program := exec.Command(os.Args[1])
	program.Stdin, program.Stderr = &lines, os.Stderr
	answers, err := program.Output()
	if err != nil {
		log.Fatal(err)
	}
	var text bytes.Buffer
	asked := 0
	for i, score := range strings.Fields(string(answers)) {
		q := questions[i]
		other := ""
		if suitsEMBOSS(q) {
			other = emboss(q)
			asked++
		}
		fmt.Fprintf(&text, "%s\t%s\t%s\n", q, score, other)
	}
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	z.Write(text.Bytes())
	if err := z.Close(); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("others.tsv.gz", packed.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
	log.Printf("%d pairs, %d of them by EMBOSS, too; %d bytes", pairs, asked, packed.Len())
}

// ask makes a random question.
func ask(r *rand.Rand, i int) question {
	q := question{mode: []string{"global", "semiglobal", "local"}[i%3], free: "0000"}
	if q.mode == "semiglobal" {
		q.free = "1111" // half of them
		if i%2 == 0 {
			q.free = fmt.Sprintf("%04b", 1+r.IntN(15))
		}
	}
	costs := [][2]int{{11, 1}, {10, 10}, {10, 1}, {5, 2}, {1, 1}, {3, 3}, {12, 2}, {2, 1}, {40, 1}, {7, 7}, {100, 30}}
	cost := costs[r.IntN(len(costs))]
	q.open, q.extend = cost[0], cost[1]
	letters := "ARNDCQEGHILKMFPSTWYV"
	proteins := []string{"BLOSUM45", "BLOSUM50", "BLOSUM62", "BLOSUM80", "BLOSUM90", "PAM30", "PAM70", "PAM250"}
	q.matrix = proteins[r.IntN(len(proteins))]
	switch {
	case r.IntN(3) == 0:
		letters, q.matrix = "ACGT", []string{"DNAFULL", "DNA(5,-4)", "DNA(1,-3)", "DNA(2,-7)"}[r.IntN(4)]
	case r.IntN(4) == 0:
		letters += "BZX*"
	}
	a := random(r, letters, length(r))
	b := random(r, letters, length(r))
	if r.IntN(3) > 0 {
		b = relative(r, letters, a)
	}
	q.a, q.b = string(a), string(b)
	return q
}

// length is 1 to 700: often small, and often close to a power of two or a
// multiple of one, where tiles and strips end.
func length(r *rand.Rand) int {
	switch r.IntN(4) {
	case 0:
		n := []int{2, 4, 8, 16, 32, 64, 96, 128, 160, 192, 256, 288, 384, 512, 640}[r.IntN(15)]
		return n - 1 + r.IntN(3)
	case 1:
		return 1 + r.IntN(20)
	case 2:
		return 1 + r.IntN(200)
	}
	return 1 + r.IntN(700)
}

func random(r *rand.Rand, letters string, n int) []byte {
	s := make([]byte, n)
	for i := range s {
		s[i] = letters[r.IntN(len(letters))]
	}
	return s
}

// relative changes a sequence as evolution does: letters are replaced, and
// pieces go or come; often it is only a part, with other letters around.
func relative(r *rand.Rand, letters string, s []byte) []byte {
	if r.IntN(2) == 0 && len(s) > 4 {
		from := r.IntN(len(s) / 2)
		s = s[from : from+1+r.IntN(len(s)-from)]
	}
	var t []byte
	often := 3 + r.IntN(30)
	for i := 0; i < len(s); i++ {
		switch r.IntN(3 * often) {
		case 0, 1:
			t = append(t, random(r, letters, 1)...)
		case 2:
			t = append(t, random(r, letters, 1+r.IntN(6))...)
		case 3:
			i += r.IntN(6)
		default:
			t = append(t, s[i])
		}
	}
	if r.IntN(3) == 0 {
		t = append(random(r, letters, r.IntN(30)), t...)
	}
	if r.IntN(3) == 0 {
		t = append(t, random(r, letters, r.IntN(30))...)
	}
	if len(t) == 0 {
		t = random(r, letters, 1)
	}
	return t[:min(len(t), 700)]
}

func suitsEMBOSS(q question) bool {
	return q.open >= 10 && q.extend <= 10 && !strings.HasPrefix(q.matrix, "DNA(") &&
		(q.mode != "semiglobal" || q.free == "1111") && len(q.a) >= 20 && len(q.b) >= 20
}

// emboss gives the score by EMBOSS.
func emboss(q question) string {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	os.WriteFile(a, []byte(">a\n"+q.a+"\n"), 0o600)
	os.WriteFile(b, []byte(">b\n"+q.b+"\n"), 0o600)
	kind := "-sprotein"
	if q.matrix == "DNAFULL" {
		kind = "-snucleotide"
	}
	run := func(program string, flags ...string) string {
		flags = append(flags, "-asequence", a, "-bsequence", b, "-datafile", "E"+q.matrix, kind+"1", kind+"2",
			"-gapopen", strconv.Itoa(q.open), "-gapextend", strconv.Itoa(q.extend), "-outfile", "stdout", "-auto")
		out, err := exec.Command(program, flags...).Output()
		if err != nil {
			log.Fatalf("%s: %v", program, err)
		}
		_, text, found := strings.Cut(string(out), "# Score: ")
		if !found {
			log.Fatalf("%s has no score: %s", program, out)
		}
		text, _, _ = strings.Cut(text, "\n")
		score, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil {
			log.Fatalf("%s: %v", program, err)
		}
		return strconv.Itoa(int(score))
	}
	switch q.mode {
	case "semiglobal":
		return run("needle")
	case "local":
		return run("water")
	}
	score := run("needle", "-endweight", "Y", "-endopen", strconv.Itoa(q.open), "-endextend", strconv.Itoa(q.extend))
	if other := run("stretcher"); other != score {
		log.Printf("needle says %s and stretcher %s: %v", score, other, q)
	}
	return score
}
