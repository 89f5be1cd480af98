package skel

import (
	"strings"
	"testing"
)

// TestUnroll checks that short loop nests are unrolled, from the inside out, and that long loops and loops
// of unknown length are not. In want, U stands for an unrolled loop and - for any other.
func TestUnroll(t *testing.T) {
	constants := map[string]int{"x.A.cols": 32, "x.B.rows": 7, "x.B.cols": 600, "x.V.a[0].n": 3}
	for _, c := range []struct{ in, want string }{
		{"for (i64 j = 0; j < x.A.cols; j++) { s += j; }", "U"},
		{"for (i64 j = 0; j < x.V.a[0].n; j++) { s += j; }", "U"},
		{"for (i64 j = 0; j < x.B.cols; j++) { s += j; }", "-"},
		{"for (i64 j = 0; j < x.B.cols; j = (i64)((u64)j + 8)) { s += j; }", "U"},
		{"for (i64 j = 0; j < x.A.rows; j++) { s += j; }", "-"},
		{"for (i64 j = n; j >= 0; j--) { s += j; }", "-"},
		{"for (;;) { for (i64 c = 0; c < 8; c++) { s++; } }", "-U"},
		{"while (s < 4) { s++; }", "-"},
		{"for (i64 k = 0; k < x.B.rows; k++) { for (i64 j = 0; j < x.A.cols; j++) { s++; } }", "UU"},
		{"for (i64 k = 0; k < x.B.rows; k++) { for (i64 j = 0; j < x.A.cols; j++) { s++; } " +
			"for (i64 c = 0; c < 8; c++) { s++; } }", "-UU"},
		{"for (i64 k = 0; k < x.A.cols; k++) { while (s < 4) { s++; } }", "--"},
		{"for (i64 k = 0; k < 4; k++) { OVER_RUN for (i64 j = 0; j < 8; j++) { s++; } }", "U-"},
		{"for (i64 k = 0; k < 4; k++) { if (k) { s++; } } for (i64 k = 0; k < n; k++) { s++; }", "U-"},
	} {
		got := unroll(c.in, constants)
		if strings.ReplaceAll(got, "UNROLL ", "") != c.in {
			t.Errorf("unroll(%q) = %q, which differs by more than UNROLL", c.in, got)
		}
		var marks string
		for i := range got {
			if strings.HasPrefix(got[i:], "for (") || strings.HasPrefix(got[i:], "while (") {
				if strings.HasSuffix(got[:i], "UNROLL ") {
					marks += "U"
				} else {
					marks += "-"
				}
			}
		}
		if marks != c.want {
			t.Errorf("unroll(%q) unrolls %s, want %s", c.in, marks, c.want)
		}
	}
}
