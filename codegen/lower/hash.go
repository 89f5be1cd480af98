package lower

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"go/ast"
	"go/format"
	"go/types"
	"hash"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// hasher hashes the Go source of a program: the text of its functions and the
// types with which they are instantiated.
type hasher struct{ h hash.Hash }

func newHasher() hasher { return hasher{sha256.New()} }

func (h hasher) add(in *instance) {
	var b bytes.Buffer
	b.WriteString(in.ident)
	if in.isDevice { // its Go source does not matter and may not have been loaded
		h.h.Write(b.Bytes())
		return
	}
	// A parsed function can be printed; a failure would only change the hash.
	_ = format.Node(&b, in.pkg.Fset, in.node)
	for _, t := range sortedArgs(in.env) {
		b.WriteString(types.TypeString(t.Underlying(), nil))
	}
	h.h.Write(b.Bytes())
}

// addNode adds the text of a declaration on which a function depends.
func (h hasher) addNode(p *packages.Package, n ast.Node) {
	var b bytes.Buffer
	_ = format.Node(&b, p.Fset, n)
	h.h.Write(b.Bytes())
}

func (h hasher) sum() string { return hex.EncodeToString(h.h.Sum(nil))[:32] }

func sortedArgs(env binding) []types.Type {
	params := make([]*types.TypeParam, 0, len(env))
	for p := range env {
		params = append(params, p)
	}
	slices.SortFunc(params, func(a, b *types.TypeParam) int { return a.Index() - b.Index() })
	args := make([]types.Type, len(params))
	for i, p := range params {
		args[i] = env[p]
	}
	return args
}

// mangle returns a type argument as a part of a function's name. Unlike
// typeIdent, it distinguishes named numeric types, because they may have
// methods.
func mangle(t types.Type) string {
	s := types.TypeString(t, func(p *types.Package) string { return p.Name() })
	if _, ok := types.Unalias(t).(*types.Basic); ok {
		return s
	}
	word := strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, s)
	return word + "_" + tag(types.TypeString(t, nil))
}
