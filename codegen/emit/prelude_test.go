package emit_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPreludesAgree compares the part that the preludes have in common.
func TestPreludesAgree(t *testing.T) {
	shared := func(file string) string {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, s, ok := strings.Cut(string(text), "/* ---- begin shared")
		if !ok {
			t.Fatalf("%s has no shared part", file)
		}
		return s
	}
	if diff := cmp.Diff(shared(dialects[0].prelude), shared(dialects[1].prelude)); diff != "" {
		t.Errorf("the shared parts of prelude.cl and prelude.cu differ:\n%s", diff)
	}
}

func TestPreludesAlone(t *testing.T) {
	for _, d := range dialects {
		d.check(t, "KERNEL k(CTX_K GLOBAL i32 *p) { p[group_id() * lanes() + lane_id()] = (i32)groups(); BARRIER(); }\n")
	}
}
