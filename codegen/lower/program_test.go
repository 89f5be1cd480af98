package lower_test

import (
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/skelgo/skelgo/codegen/internal/testload"
	"github.com/skelgo/skelgo/codegen/lower"
)

// TestLibraries checks which functions programs refer to by the names of the registry: those of
// skelgo that are marked, and not instances by an alias, which the registry has by another name.
func TestLibraries(t *testing.T) {
	const text = `
-- f.go --
package p

import "github.com/skelgo/skelgo/offered"

type real = float32

type own float32

func marked(x float32) float32 { return offered.Half(x) }

func plain(x float32) float32 { return offered.Plain(x) }

func instance(x float32) float32 { return offered.Twice(x) }

func alias(x real) real { return offered.Twice(x) }

func letter(x byte) byte { return offered.Twice(x) }

func number(x uint8) uint8 { return offered.Twice(x) }

func named(x own) own { return offered.Twice(x) }
-- github.com/skelgo/skelgo/offered/offered.go --
package offered

//skel:func
func Half(x float32) float32 { return x / 2 }

func Plain(x float32) float32 { return x }

//skel:func
func Twice[T ~float32 | ~uint8](x T) T { return x + x }
`
	pkgs, err := testload.Load(txtar.Parse([]byte(text)))
	if err != nil {
		t.Fatal(err)
	}
	l := lower.New(pkgs)
	for name, want := range map[string]string{
		"marked":   "github.com/skelgo/skelgo/offered.Half",
		"plain":    "",
		"instance": "github.com/skelgo/skelgo/offered.Twice[float32]",
		"alias":    "",
		"letter":   "",
		"number":   "github.com/skelgo/skelgo/offered.Twice[uint8]",
		"named":    "",
	} {
		fn, err := testload.Func(pkgs[0], name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := l.Lower(lower.Request{Func: fn})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Funcs[0].Library; got != want {
			t.Errorf("%s calls library %q, want %q", name, got, want)
		}
	}
}
