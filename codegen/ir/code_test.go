package ir_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/skelgo/skelgo/codegen/ir"
)

// everything returns a program with every kind of node.
func everything() *ir.Program {
	one, two := ir.IntConst(i64, 1), ir.IntConst(i64, -2)
	pair := &ir.Type{Kind: ir.Struct, Ident: "pair", Pos: ir.Pos{File: "a/b.go", Line: 7, Col: 6}, Fields: []ir.Field{
		{Name: "X", Type: f32}, {Name: "b", Type: i64, Blank: true},
	}}
	four, view, matrix, out := ir.ArrayOf(pair, 4), ir.ViewOf(ir.View, f32), ir.ViewOf(ir.MatView, f32),
		ir.ViewOf(ir.OutView, f32)
	pointer := ir.PointerTo(four)
	p := &ir.Var{Name: "p", Type: pointer}
	set := &ir.Func{Ident: "set", Name: "a.set", Pos: ir.Pos{File: "a/b.go", Line: 9, Col: 1}, Params: []*ir.Var{p}}
	set.Body = []ir.Stmt{&ir.Assign{L: &ir.Deref{X: local(p)}, R: &ir.Composite{T: four}, Pos: ir.Pos{Line: 10}}}

	at := func(v ir.Expr, index ...ir.Expr) *ir.At {
		return &ir.At{View: v, Index: index, Pos: ir.Pos{File: "a/c.go", Line: 3, Col: 9}}
	}
	x, v, m, o := &ir.Var{Name: "x", Type: i64}, &ir.Var{Name: "v", Type: view}, &ir.Var{Name: "m", Type: matrix},
		&ir.Var{Name: "o", Type: out}
	a, i, y, z := &ir.Var{Name: "a", Type: four}, &ir.Var{Name: "i", Type: i64}, &ir.Var{Name: "y", Type: f32},
		&ir.Var{Name: "z", Type: f32}
	run := &ir.Run{Name: "skel_run1", First: at(local(v), one), Len: 4, Multiple: 2}
	inRun := at(local(v), local(i))
	inRun.Run, inRun.Part = run, local(i)
	declared := &ir.Run{Name: "skel_run2", First: at(local(m), one, one), Len: 2, Multiple: 4}
	second := at(local(m), one, one)
	second.Run, second.Part = declared, one
	loop := &ir.For{Init: &ir.Declare{Var: i, Init: one}, Runs: []*ir.Run{run},
		Cond: &ir.Binary{Op: ir.Lt, X: local(i), Y: &ir.Dim{View: local(m), N: 1}}}
	step := local(i)
	loop.Post = []*ir.Assign{{L: step, R: &ir.Binary{Op: ir.Add, X: step, Y: one, NoWrap: true}}}
	block := &ir.Block{}
	block.Body = []ir.Stmt{
		&ir.If{Cond: &ir.Binary{Op: ir.Eq, X: local(i), Y: two}, Then: []ir.Stmt{&ir.Break{Of: block}},
			Else: []ir.Stmt{&ir.Continue{Of: loop}}},
	}
	choice := &ir.Switch{Tag: local(x)}
	choice.Cases = []*ir.Case{{Values: []*ir.Const{one, two}, Fallthrough: true}, {Default: true,
		Body: []ir.Stmt{&ir.Break{Of: choice}}}}
	field := &ir.FieldOf{X: &ir.Elem{X: local(a), I: one, Safe: true}}
	loop.Body = []ir.Stmt{block, &ir.Assign{L: at(local(o), local(i)), R: inRun}, choice}
	f := &ir.Func{Ident: "f", Name: "a.f", Params: []*ir.Var{x, v, m, o}, Result: f32, Body: []ir.Stmt{
		&ir.Declare{Var: a, Init: ir.Zero(four)},
		&ir.Do{X: &ir.Call{Func: set, Args: []ir.Expr{&ir.Addr{X: local(a)}}}},
		&ir.Declare{Var: y, Init: second, Run: declared},
		loop,
		&ir.Declare{Var: z, Init: &ir.Unary{Op: ir.Neg, X: &ir.Convert{T: f32, X: one}}},
		&ir.If{Cond: &ir.Const{T: b8, Bits: 1}, Then: []ir.Stmt{&ir.Panic{Pos: ir.Pos{Line: 1 << 20, Col: 1}}}},
		&ir.Assign{L: field, R: &ir.Intrinsic{Name: "sqrt", T: f32, Args: []ir.Expr{local(y)}}},
		&ir.Return{X: &ir.Const{T: f32, Bits: 0x7fc00001}},
	}}
	f.Pos = ir.Pos{File: "a/b.go", Line: 20, Col: 1}
	twice := &ir.Func{Ident: "f2", Pure: true, Result: ir.TupleOf(f32, f32), Params: []*ir.Var{{Name: "x", Type: i64}}}
	twice.Body = []ir.Stmt{&ir.Return{X: ir.Zero(twice.Result)}}
	return &ir.Program{
		Root: f, Funcs: []*ir.Func{set, f}, Types: []*ir.Type{pair, four, view, matrix, out}, Twice: twice,
		Exact: "add", Share: 4, Own: map[string]bool{".Points": true, "": true},
	}
}

func TestCode(t *testing.T) {
	p := everything()
	check(t, ir.Verify(p), "")
	code := ir.Encode(p)
	q, err := ir.Decode(code, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(p, q) {
		t.Error("the decoded program differs")
	}
	if again := ir.Encode(q); again != code {
		t.Error("the decoded program is coded differently")
	}
	post := q.Root.Body[3].(*ir.For).Post[0]
	if post.L != post.R.(*ir.Binary).X {
		t.Error("an operation in place is none when it is decoded")
	}
	for n := range len(code) { // wherever it is cut off
		if _, err := ir.Decode(code[:n], nil); err == nil {
			t.Errorf("the first %d of %d bytes are a program", n, len(code))
		}
	}
	_, err = ir.Decode(code+"x", nil)
	check(t, err, "it goes on after its end")
	_, err = ir.Decode("\x7f"+code[1:], nil)
	check(t, err, "has version 127, and this skelgo reads version 1")
	_, err = ir.Decode("", nil)
	check(t, err, "is damaged: it is cut off")
	t.Logf("%d bytes", len(code))
}

// TestDamagedCode checks that a change of any byte is an error or makes another program, and nothing else.
func TestDamagedCode(t *testing.T) {
	code := ir.Encode(everything())
	for i := range code {
		for _, b := range []byte{0, 1, 2, 127, 128, 255, code[i] ^ 1, code[i] + 1} {
			damaged := code[:i] + string([]byte{b}) + code[i+1:]
			if _, err := ir.Decode(damaged, nil); err != nil && !strings.Contains(err.Error(), "ir: ") {
				t.Errorf("byte %d is %d: %v", i, b, err)
			}
		}
	}
}

// callsLibrary returns a program whose function calls one of a library twice, and a function that the library's
// calls, too.
func callsLibrary() *ir.Program {
	x := &ir.Var{Name: "x", Type: f32}
	call := func(f *ir.Func, arg ir.Expr) ir.Expr { return &ir.Call{Func: f, Args: []ir.Expr{arg}} }
	half := &ir.Func{Ident: "half", Name: "lib.half", Params: []*ir.Var{x}, Result: f32, Pure: true, Body: []ir.Stmt{
		&ir.Return{X: &ir.Binary{Op: ir.Mul, X: local(x), Y: &ir.Const{T: f32, Bits: 0x3f000000}}}}}
	inner := &ir.Func{Ident: "inner", Name: "lib.inner", Params: []*ir.Var{x}, Result: f32, Pure: true,
		Body: []ir.Stmt{&ir.Return{X: call(half, local(x))}}}
	offered := &ir.Func{Ident: "offered", Name: "lib.Offered", Params: []*ir.Var{x}, Result: f32, Pure: true,
		Body: []ir.Stmt{&ir.Return{X: call(inner, call(half, local(x)))}}, Library: "example.com/lib.Offered"}
	user := &ir.Func{Ident: "user", Name: "a.user", Params: []*ir.Var{x}, Result: f32, Pure: true,
		Body: []ir.Stmt{&ir.Return{X: call(half, call(offered, call(offered, local(x))))}}}
	return &ir.Program{Root: user, Funcs: []*ir.Func{half, inner, offered, user}}
}

// library returns the function that callsLibrary calls.
func library(name string) (*ir.Program, error) {
	if name != "example.com/lib.Offered" {
		return nil, errors.New("is not there")
	}
	p := callsLibrary()
	return &ir.Program{Root: p.Funcs[2], Funcs: p.Funcs[:3]}, nil
}

// TestLibrary checks that of a library's function only the name is encoded.
func TestLibrary(t *testing.T) {
	code := ir.Encode(callsLibrary())
	if strings.Contains(code, "inner") || !strings.Contains(code, "half") {
		t.Errorf("the code has the wrong functions: %q", code)
	}
	p, err := ir.Decode(code, library)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(callsLibrary().String(), p.String()); diff != "" {
		t.Errorf("decoded (-want +got):\n%s", diff)
	}
	if again := ir.Encode(p); again != code {
		t.Errorf("encoded again: %q, was %q", again, code)
	}
	other := callsLibrary()
	other.Funcs[2].Library = "example.com/lib.Other"
	_, err = ir.Decode(ir.Encode(other), library)
	check(t, err, "it calls example.com/lib.Other: is not there")
	other.Funcs[2].Library, other.Funcs[2].Ident = "example.com/lib.Offered", "offered2"
	_, err = ir.Decode(ir.Encode(other), library)
	check(t, err, "example.com/lib.Offered is offered and was offered2")
	_, err = ir.Decode(code, nil)
	check(t, err, "it needs example.com/lib.Offered, and there are no libraries")
}

func FuzzDecode(f *testing.F) {
	f.Add(ir.Encode(everything()))
	f.Add(ir.Encode(callsLibrary()))
	f.Fuzz(func(t *testing.T, code string) {
		p, err := ir.Decode(code, library)
		if err != nil {
			return
		}
		q, err := ir.Decode(ir.Encode(p), library)
		if err != nil || !reflect.DeepEqual(p, q) {
			t.Errorf("a decoded program is not what it is when it is coded again: %v", err)
		}
	})
}
