package codegen

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
)

// Vet reports what Generate would reject, and functions whose generated form is
// missing or stale.
func (p *Program) Vet() ([]Problem, error) {
	t, problems, err := p.translate()
	if err != nil {
		return nil, err
	}
	files, err := t.files(problems)
	if err != nil {
		return nil, err
	}
	stale := map[string]string{} // the problem, by path
	for _, f := range files {
		change, err := f.Change()
		if err != nil {
			return nil, err
		}
		if change != "" { // report a missing file once, not for each function
			stale[f.Path] = change
		}
	}
	for _, u := range t.units {
		for _, k := range u.kernels {
			name, _ := k.target(u.pkg)
			path := filepath.Join(dirOf(u.pkg), name)
			if stale[path] == "" || stale[path] == "missing" {
				continue
			}
			message := ""
			switch hash, ok := k.hashIn(entries(path)); {
			case !ok:
				message = fmt.Sprintf("%s has no device form of %s: run 'go generate'", name, shortName(k))
			case hash != k.reg.Hash:
				message = fmt.Sprintf("%s is stale for %s: run 'go generate'", name, shortName(k))
			default:
				continue
			}
			problems = append(problems, Problem{Pos: u.pkg.Fset.Position(k.expr.Pos()), Message: message})
			stale[path] = "told"
		}
	}
	for _, path := range slices.Sorted(maps.Keys(stale)) {
		if what := stale[path]; what != "told" {
			problems = append(problems, Problem{Pos: p.packageClause(filepath.Dir(path)),
				Message: fmt.Sprintf("%s is %s: run 'go generate'", filepath.Base(path), what)})
		}
	}
	return tidy(problems), nil
}

// shortName returns a readable name of a function.
func shortName(k *kernel) string {
	if k.lit != nil {
		return "the function literal"
	}
	return k.fn.Name()
}

// packageClause returns the position at which to report problems of a whole
// folder.
func (p *Program) packageClause(dir string) token.Position {
	for _, pkg := range p.roots {
		if dirOf(pkg) == dir && len(pkg.Syntax) > 0 {
			return p.Fset.Position(pkg.Syntax[0].Package)
		}
	}
	return token.Position{Filename: dir}
}

// hashIn returns the hash that a generated file has for a kernel. Only functions
// without a name of their own are told apart by their types.
func (k *kernel) hashIn(all map[string]string) (hash string, ok bool) {
	if hash, ok = all[k.reg.Name+"\n"+k.reg.Type]; !ok {
		hash, ok = all[k.reg.Name+"\n"]
	}
	return hash, ok
}

// entries reads the hash of each function in a generated file.
func entries(path string) map[string]string {
	all := map[string]string{}
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return all
	}
	ast.Inspect(file, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		fields := map[string]string{}
		for _, e := range lit.Elts {
			kv, ok := e.(*ast.KeyValueExpr)
			if !ok {
				continue
			}
			key, isName := kv.Key.(*ast.Ident)
			if value, ok := kv.Value.(*ast.BasicLit); ok && isName && value.Kind == token.STRING {
				fields[key.Name], _ = strconv.Unquote(value.Value)
			}
		}
		if fields["Hash"] != "" {
			all[fields["Name"]+"\n"+fields["Type"]] = fields["Hash"]
			return false
		}
		return true
	})
	return all
}
