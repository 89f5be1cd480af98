package emit_test

import (
	"fmt"

	"golang.org/x/tools/txtar"

	"github.com/skelgo/skelgo/codegen/emit"
	"github.com/skelgo/skelgo/codegen/internal/testload"
	"github.com/skelgo/skelgo/codegen/lower"
)

func ExampleC() {
	pkgs, err := testload.Load(txtar.Parse([]byte(`
-- dot.go --
package dot

func mul(x, y float32) float32 { return x * y }
`)))
	if err != nil {
		fmt.Println(err)
		return
	}
	fn, err := testload.Func(pkgs[0], "mul")
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := lower.New(pkgs).Lower(lower.Request{Func: fn})
	if err != nil {
		fmt.Println(err)
		return
	}
	f := emit.C(p)
	fmt.Println(f.Ident, f.Params, f.Result)
	fmt.Print(f.Decls[0].C)
	// Output:
	// dot_mul_435gji [f32 f32] f32
	// #line 3 "dot.go"
	// FUNC f32 dot_mul_435gji(CTX_P f32 x, f32 y) { return x * y; }
}
