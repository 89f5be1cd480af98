package scripttest

import (
	"cmp"
	_ "embed"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/tools/txtar"

	"github.com/skelgo/skelgo/codegen/internal/modproxy"
	"github.com/skelgo/skelgo/internal/testmodule"
)

//go:embed skelgo.txtar
var standIn []byte

const module = testmodule.Path

// Run runs the scripts in testdata/script. They run in a module m that uses a
// stand-in for this module, with the real registry from the given folder and
// the real operators of package skel.
//
// Files of a script in proxy/PATH@VERSION form a module in the module cache. A
// module with this module's path also contains the stand-in's files, and the
// script then uses it instead of a replaced module.
func Run(t *testing.T, registry string, env ...string) {
	t.Helper()
	RunIn(t, "testdata/script", registry, env...)
}

// RunIn runs the scripts in another folder.
func RunIn(t *testing.T, dir, registry string, env ...string) {
	t.Helper()
	settings, err := testmodule.Settings()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: dir,
		Setup: func(e *testscript.Env) error {
			e.Vars = append(e.Vars, settings...)
			e.Vars = append(e.Vars, env...)
			e.Setenv("GOGC", "400") // for the compiler
			e.Setenv("GOFLAGS", "-mod=mod")
			if err := prepare(e.WorkDir, registry); err != nil {
				return err
			}
			env, err := modules(e.WorkDir)
			e.Vars = append(e.Vars, env...)
			return err
		},
	})
}

// prepare writes the stand-in and a go.mod that points to it.
func prepare(work, registry string) error {
	files := txtar.Parse(standIn).Files
	root := filepath.Join(registry, "../..")
	names := []string{"skel/operators.go", "skel/ops/ops.go"}
	for _, folder := range []string{"codegen/registry", "codegen/registry/pieces", "codegen/emit", "codegen/ir",
		"codegen/pass"} {
		all, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
		if err != nil {
			return err
		}
		for _, path := range all {
			if name := filepath.Base(path); !strings.HasSuffix(name, "_test.go") {
				names = append(names, folder+"/"+name)
			}
		}
	}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return err
		}
		files = append(files, txtar.File{Name: name, Data: text})
	}
	folder, version, replace := "skelgo", "v0.0.0", "\nreplace "+module+" => ./skelgo\n"
	if cached, _ := filepath.Glob(filepath.Join(work, "proxy", module+"@*")); len(cached) > 0 {
		folder, _ = filepath.Rel(work, cached[0])
		_, version, _ = strings.Cut(filepath.Base(folder), "@")
		replace = ""
	}
	for i := range files {
		files[i].Name = path.Join(filepath.ToSlash(folder), files[i].Name)
	}
	files = append(files, txtar.File{Name: "go.mod",
		Data: []byte("module m\n\ngo 1.26\n\nrequire " + module + " " + version + "\n" + replace)})
	for _, f := range files {
		path := filepath.Join(work, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// modules serves the folders below proxy as modules, adds them to go.mod, and
// returns the environment to use them.
func modules(work string) ([]string, error) {
	from, to := filepath.Join(work, "proxy"), filepath.Join(work, ".proxy")
	requires := ""
	err := filepath.WalkDir(from, func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() || !strings.Contains(e.Name(), "@") {
			return err
		}
		rel, _ := filepath.Rel(from, name)
		mod, version, _ := strings.Cut(filepath.ToSlash(rel), "@")
		if mod != module {
			requires += "\nrequire " + mod + " " + version + "\n"
		}
		return cmp.Or(modproxy.Add(to, mod, version, os.DirFS(name)), fs.SkipDir)
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(work, "go.mod"))
	if err == nil {
		err = os.WriteFile(filepath.Join(work, "go.mod"), append(text, requires...), 0o644)
	}
	if err != nil {
		return nil, err
	}
	return modproxy.Env(filepath.Join(work, ".modcache"), to)
}
