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
		text.WriteString(d.C)
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

// TestLines checks that the C compiler's messages have Go lines.
func TestLines(t *testing.T) {
	clang := need(t, "clang")
	if clang == "" {
		t.Skip("compiling the C requires clang")
	}
	f := programs(t, txtar.Parse([]byte(checkedProgram)))[0]
	text := dialects[0].text(t)
	for _, d := range f.Decls {
		text += strings.Replace(d.C, "= 7", "= oops", 1)
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
