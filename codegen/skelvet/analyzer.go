package main

import (
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/skelgo/skelgo/codegen"
)

// Analyzer checks the functions that a package passes to skeletons. They may
// call functions in any package, and vet provides types but no source for
// those, so Analyzer loads the package again, as skelgen does.
var Analyzer = &analysis.Analyzer{
	Name: "skelvet",
	Doc:  "report functions passed to skeletons that cannot run on a device, and stale generated files",
	URL:  "https://github.com/skelgo/skelgo/blob/main/docs/subset.md",
	Run:  check,
}

const skelPath = "github.com/skelgo/skelgo/skel"

func check(pass *analysis.Pass) (any, error) {
	if len(pass.Files) == 0 || strings.HasSuffix(pass.Pkg.Path(), ".test") || !concerned(pass) {
		return nil, nil
	}
	problems, err := find(folder(pass))
	if err != nil {
		return nil, err
	}
	for _, p := range problems {
		if pos := position(pass, p.Pos); pos.IsValid() {
			message := p.Message
			if p.Rule != "" {
				message += " [" + p.Rule + "]"
			}
			pass.Report(analysis.Diagnostic{Pos: pos, Category: p.Rule, Message: message})
		}
	}
	return nil, nil
}

// concerned reports whether a package uses skel or marks functions.
func concerned(pass *analysis.Pass) bool {
	seen := map[*types.Package]bool{}
	var uses func(*types.Package) bool
	uses = func(p *types.Package) bool {
		if seen[p] {
			return false
		}
		seen[p] = true
		if p.Path() == skelPath {
			return true
		}
		for _, imp := range p.Imports() {
			if uses(imp) {
				return true
			}
		}
		return false
	}
	if uses(pass.Pkg) {
		return true
	}
	for _, f := range pass.Files {
		for _, g := range f.Comments {
			for _, c := range g.List {
				if strings.HasPrefix(c.Text, "//skel:func") {
					return true
				}
			}
		}
	}
	return false
}

// folder returns the folder of a package. Some files may be those that cgo has written
// elsewhere from the package's files, with line directives.
func folder(pass *analysis.Pass) string {
	dir := ""
	for _, f := range pass.Files {
		name := pass.Fset.File(f.FileStart).Name()
		user := pass.Fset.Position(f.Package).Filename
		switch {
		case user != name && strings.HasSuffix(user, ".go"):
			return filepath.Dir(user)
		case dir == "":
			dir = filepath.Dir(name)
		}
	}
	return dir
}

// position returns a position in the files of the pass.
func position(pass *analysis.Pass, at token.Position) token.Pos {
	for _, f := range pass.Files {
		if pass.Fset.Position(f.Package).Filename != at.Filename {
			continue
		}
		file := pass.Fset.File(f.FileStart)
		for line := range file.LineCount() {
			if start := file.LineStart(line + 1); file.Position(start).Line == at.Line {
				return start + token.Pos(max(at.Column, 1)-1)
			}
		}
	}
	return token.NoPos
}

// loaded caches results by module or folder: a run over many packages loads the
// module once.
var loaded sync.Map // string to func() ([]codegen.Problem, error)

// find returns the problems of the package in dir, and possibly of others.
func find(dir string) ([]codegen.Problem, error) {
	from, pattern := dir, "."
	if !underVet() {
		if root := moduleRoot(dir); root != "" {
			from, pattern = root, "./..."
		}
	}
	once, _ := loaded.LoadOrStore(from, sync.OnceValues(func() ([]codegen.Problem, error) {
		program, err := codegen.Load(from, pattern)
		if err != nil {
			return nil, err
		}
		return program.Vet()
	}))
	return once.(func() ([]codegen.Problem, error))()
}

// underVet reports whether this command is run by go vet, once for each
// package.
func underVet() bool {
	return len(os.Args) > 1 && strings.HasSuffix(os.Args[len(os.Args)-1], ".cfg")
}

func moduleRoot(dir string) string {
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}
