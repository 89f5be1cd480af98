package cuda

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDiagnostics(t *testing.T) {
	log := `prelude.cu(3): warning #177-D: variable "n" was declared but never referenced
program(7): error: identifier "worse_name" is undefined
          x[0] = worse_name;
                 ^

kmeans.go(31): error #20-D: identifier "bad_name" is undefined
ptxas error   : Entry function 'map' uses too much shared data (0xd000 bytes, 0xc000 max)
2 errors detected in the compilation of "prelude.cu".
`
	want := []string{
		`kmeans.go:31: identifier "bad_name" is undefined`,
		`program:7: identifier "worse_name" is undefined`,
		"ptxas: Entry function 'map' uses too much shared data (0xd000 bytes, 0xc000 max)",
	}
	if diff := cmp.Diff(want, diagnostics(log)); diff != "" {
		t.Error(diff)
	}
}
