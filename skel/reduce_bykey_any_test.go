package skel

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/codegen/emit"
	"github.com/skelgo/skelgo/codegen/registry"
)

// TestAnyOrder checks for which operators a GPU may fold elements in any order: for those
// whose identity is neutral and for which there are atomic operations.
func TestAnyOrder(t *testing.T) {
	wordOf[int8](t, "add", 0, 4, "i32")
	wordOf[uint8](t, "add", 0, 4, "u32")
	wordOf[int16](t, "xor", 0, 4, "i32")
	wordOf[uint16](t, "or", 0, 4, "u32")
	wordOf[int32](t, "and", -1, 4, "i32")
	wordOf[uint16](t, "and", math.MaxUint16, 4, "u32")
	wordOf[int64](t, "add", 0, 8, "i64")
	wordOf[uint](t, "and", math.MaxUint, 8, "u64")
	wordOf[int](t, "xor", 0, 8, "i64")
	wordOf(t, "and", true, 4, "u32")
	wordOf(t, "or", false, 4, "u32")
	wordOf[int32](t, "min", math.MaxInt32, 4, "i32")
	wordOf[int32](t, "max", math.MinInt32, 4, "i32")
	wordOf[int8](t, "max", math.MinInt8, 4, "i32")
	wordOf[uint8](t, "min", math.MaxUint8, 4, "u32")
	wordOf[uint32](t, "max", 0, 4, "u32")

	wordOf[float32](t, "", 0, 0, "")
	wordOf[int32](t, "", 0, 0, "")
	wordOf[int32](t, "add", 1, 0, "")
	wordOf[int32](t, "max", 0, 0, "")
	wordOf[uint8](t, "and", 127, 0, "")
	wordOf(t, "and", false, 0, "")
	wordOf[int64](t, "min", math.MaxInt64, 0, "")
	wordOf[uint64](t, "max", 0, 0, "")
}

func wordOf[T any](t *testing.T, exact string, identity T, want int, word string) {
	t.Helper()
	form := &emit.Form{Exact: exact, Result: "T0"}
	o := &operator[T]{
		folding:  newFolding(&function{reg: &registry.Func{Form: form}}, nil, identity),
		identity: identity,
	}
	defines, size := o.word()
	if size != want || size > 0 && !strings.Contains(defines, "#define WORD "+word+"\n") {
		t.Errorf("%T, %s, identity %s: words of %d bytes, want %d of type %s; definitions:\n%s",
			identity, exact, fmt.Sprint(identity), size, want, word, defines)
	}
}
