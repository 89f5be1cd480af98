package emit_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

const checkedProgram = `
-- bad.go --
package app

import "github.com/skelgo/skelgo/vector"

//skel:func
func bad(kind int, i int32, v vector.View[float32]) float32 {
	var a [4]int32
	switch kind {
	case 0:
		return v.At(int(i))
	case 1:
		a[i+1]++
	case 2:
		a[1] = 7 % i
	case 3:
		a[2] = 1 << i
	case 4:
		return must(i)
	case 5:
		return sum(int(i), v)
	}
	return float32(a[1] + a[2])
}

func sum(i int, v vector.View[float32]) (s float32) {
	for c := range 4 {
		s += v.At(i + c)
	}
	return s
}

func must(i int32) float32 {
	if i < 0 {
		panic("negative")
	}
	return float32(i)
}
`

// TestChecked runs functions with run-time errors in both modes: checked mode
// reports kind, position, index and bound, and neither mode crashes.
func TestChecked(t *testing.T) {
	gcc := need(t, "gcc")
	if gcc == "" {
		t.Skip("running the C requires gcc")
	}
	f := programs(t, txtar.Parse([]byte(checkedProgram)))[0]
	places := map[string]string{}
	for _, s := range f.Sites {
		places[strconv.FormatUint(uint64(s.ID), 16)] = s.Pos
	}
	tests := []struct{ kind, i, want string }{
		{"0", "5", "1 bad.go:10:10 5 of 5"},
		{"0", "-1", "1 bad.go:10:10 -1 of 5"},
		{"0", "4", "none"},
		{"1", "3", "1 bad.go:12:3 4 of 4"},
		{"2", "0", "2 bad.go:14:12 0 of 0"},
		{"3", "-2", "3 bad.go:16:12 -2 of 0"},
		{"4", "-1", "4 bad.go:34:3 0 of 0"},
		{"4", "1", "none"},
		{"5", "1", "none"},
		{"5", "3", "1 bad.go:27:8 5 of 5"},
		{"5", "-2", "1 bad.go:27:8 -2 of 5"},
	}
	var text strings.Builder
	for _, d := range f.Decls {
		text.WriteString(d.C + "\n")
	}
	text.WriteString("\nint main(void) {\n\tf32 data[5] = {0}; i32 buffer[6]; i32 *skel_err = buffer; view_f32 v = " +
		"{data, 5}; (void)skel_err;\n")
	for _, tt := range tests {
		fmt.Fprintf(&text, "\tmemset(buffer, 0, sizeof buffer); %s(CTX_A %s, %s, v);\n", f.Ident, tt.kind, tt.i)
		text.WriteString("\tprintf(\"%d %x %lld %lld\\n\", buffer[0], (u32)buffer[1], (long " +
			"long)((u64)(u32)buffer[2] | (u64)buffer[3] << 32), (long long)buffer[4]);\n")
	}
	text.WriteString("\treturn 0;\n}\n")
	got := runC(t, gcc, "-DSKEL_CHECK", text.String())
	for i, tt := range tests {
		line := got[4*i : 4*i+4]
		s := "none"
		if line[0] != "0" {
			s = fmt.Sprintf("%s %s %s of %s", line[0], places[line[1]], line[2], line[3])
		}
		if s != tt.want {
			t.Errorf("bad(%s, %s): got %s, want %s", tt.kind, tt.i, s, tt.want)
		}
	}
}

const racingProgram = `
-- race.go --
package app

import (
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

type outs struct {
	Line vector.OutView[float32]
	Table matrix.OutView[float32]
}

//skel:func
func race(kind, i, j int, o outs) float32 {
	switch kind {
	case 0:
		o.Line.Set(i, 1)
	case 1:
		o.Line.Set(i, o.Line.At(j)+1)
	case 2:
		o.Table.Set(i, j, 2)
	case 3:
		return bump(i, o.Line)
	}
	return 0
}

func bump(i int, v vector.OutView[float32]) float32 {
	v.Set(i, v.At(i)+1)
	v.Set(i, v.At(i)+1)
	return v.At(i)
}
`

// TestCheckedWrites runs a function for pairs of elements of the input: checked mode reports
// an element of an out-view that the first one writes and the second one writes or reads.
func TestCheckedWrites(t *testing.T) {
	f := programs(t, txtar.Parse([]byte(racingProgram)))[0]
	var text strings.Builder
	for _, d := range f.Decls {
		text.WriteString(d.C + "\n")
	}
	for _, dialect := range dialects {
		dialect.check(t, fmt.Sprintf("%s\nFUNC f32 call(CTX_P %s o, i64 i) {\n\tWRITER(o.Line, 0, i);\n"+
			"\tWRITER(o.Table, -1, 0);\n\treturn %s(CTX_A 0, i, i, o);\n}\n", text.String(), f.Params[3], f.Ident))
	}
	gcc := need(t, "gcc")
	if gcc == "" {
		t.Skip("running the C requires gcc")
	}
	places := map[string]string{}
	for _, s := range f.Sites {
		places[strconv.FormatUint(uint64(s.ID), 16)] = s.Pos
	}
	tests := []struct{ first, second, want string }{
		{"0, 3, 0", "0, 4, 0", "none"},
		{"0, 3, 0", "0, 3, 0", "8 race.go:17:3 3 7 9 0"},
		{"0, 9, 0", "0, 0, 0", "1 race.go:17:3 9 5 0 0"}, // the index is found first
		{"1, 3, 4", "1, 1, 2", "none"},
		{"1, 3, 4", "1, 1, 3", "9 race.go:19:17 3 7 9 0"},
		{"1, 3, 3", "1, 3, 3", "9 race.go:19:17 3 7 9 0"},
		{"2, 1, 2", "2, 1, 1", "none"},
		{"2, 1, 2", "2, 1, 2", "8 race.go:21:3 5 7 9 3"},
		{"2, 0, 3", "2, 1, 0", "1 race.go:21:3 3 3 0 0"},
		{"3, 0, 0", "3, 1, 0", "none"},
		{"3, 2, 0", "3, 2, 0", "9 race.go:29:11 2 7 9 0"},
		{"0, 2, 0", "2, 0, 2", "none"}, // elements of two views
	}
	fmt.Fprintf(&text, "\nint main(void) {\n\tf32 data[5] = {0}, table[6] = {0}; i32 buffer[60]; "+
		"i32 *skel_err = buffer; "+
		"%s o = {{data, 5}, {table, 2, 3}};\n", f.Params[3])
	for _, tt := range tests {
		text.WriteString("\tmemset(buffer, 0, sizeof buffer); buffer[10] = 40; buffer[12] = 46;\n")
		for i, call := range []string{tt.first, tt.second} {
			fmt.Fprintf(&text, "\tWRITER(o.Line, 0, %d); WRITER(o.Table, 1, %[1]d); %s(CTX_A %s, o);\n", 7+2*i,
				f.Ident, call)
		}
		text.WriteString("\tprintf(\"%d %x %d %d %d %d\\n\", buffer[0], (u32)buffer[1], buffer[2], " +
			"buffer[4], buffer[6], " +
			"buffer[8]);\n")
	}
	text.WriteString("\treturn 0;\n}\n")
	got := runC(t, gcc, "-DSKEL_CHECK", text.String())
	for i, tt := range tests {
		line := got[6*i : 6*i+6]
		s := "none"
		if line[0] != "0" {
			s = fmt.Sprintf("%s %s %s", line[0], places[line[1]], strings.Join(line[2:], " "))
		}
		if s != tt.want {
			t.Errorf("race(%s), race(%s): got %s, want %s", tt.first, tt.second, s, tt.want)
		}
	}
}

// TestLines checks that the C compiler's messages have Go lines.
func TestLines(t *testing.T) {
	clang := need(t, "clang")
	if clang == "" {
		t.Skip("compiling the C requires clang")
	}
	f := programs(t, txtar.Parse([]byte(checkedProgram)))[0]
	text := dialects[0].text(t)
	for _, d := range f.Decls {
		text += strings.Replace(d.C, "= 7", "= oops", 1) + "\n"
		text = strings.Replace(text, "skel_rem_i32(7", "skel_rem_i32(oops", 1)
	}
	file := filepath.Join(t.TempDir(), "bad.cl")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(clang, append(dialects[0].flags, "-fsyntax-only", file)...).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "bad.go:14:") {
		t.Errorf("no error at bad.go:14: %v\n%s", err, out)
	}
}
