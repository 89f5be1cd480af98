package grid

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/checkpoint"
	"github.com/skelgo/skelgo/apps/internal/data/output"
)

// modulePath is the path of the module of this package.
const modulePath = "github.com/skelgo/skelgo"

// goFunction is the function F of a file.
type goFunction struct {
	text []byte // of the file, as a part of package main
	dim  int
	list bool // F takes its variables as a list of parameters, not as an array
}

// readFunction reads a file with a function F.
func readFunction(name string) (*goFunction, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		if e := (*fs.PathError)(nil); errors.As(err, &e) {
			err = e.Err // the message has the name
		}
		return nil, fmt.Errorf("cannot read %s: %w", name, err)
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	f := &goFunction{}
	for _, d := range file.Decls {
		d, is := d.(*ast.FuncDecl)
		if !is || d.Recv != nil {
			continue
		}
		if d.Name.Name == "main" { // the program has one of its own; a function named _ is checked and left out
			copy(text[files.Position(d.Name.Pos()).Offset:], "_   ")
		}
		if d.Name.Name != "F" {
			continue
		}
		if f.dim, f.list, is = variables(d.Type); !is || f.dim < 1 || f.dim > MaxDim {
			return nil, fmt.Errorf("%s: F must be func(x [N]float64) float64 or func(x, y, ... float64) float64, "+
				"with 1 to %d variables", files.Position(d.Pos()), MaxDim)
		}
	}
	if f.dim == 0 {
		return nil, fmt.Errorf("%s: there is no function F, such as func F(x [2]float64) float64", name)
	}
	// The positions in messages stay those of the file.
	at, end := files.Position(file.Name.Pos()).Offset, files.Position(file.Name.End()).Offset
	f.text = slices.Concat(text[:at], []byte("main"), text[end:])
	return f, nil
}

// variables returns the number of variables of a function of float64 with one such result, and
// whether they are a list of parameters.
func variables(t *ast.FuncType) (n int, list, is bool) {
	float := func(e ast.Expr) bool {
		id, is := e.(*ast.Ident)
		return is && id.Name == "float64"
	}
	if t.TypeParams != nil || t.Results.NumFields() != 1 || !float(t.Results.List[0].Type) {
		return 0, false, false
	}
	for _, p := range t.Params.List {
		if a, is := p.Type.(*ast.ArrayType); is && t.Params.NumFields() == 1 && float(a.Elt) {
			if length, is := a.Len.(*ast.BasicLit); is {
				n, err := strconv.Atoi(length.Value)
				return n, false, err == nil
			}
		}
		if !float(p.Type) {
			return 0, false, false
		}
	}
	return t.Params.NumFields(), true, true
}

// main returns the text of a program that runs the command with the function.
func (f *goFunction) main(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package main\n\nimport %q\n\n//go:generate go tool skelgen\n\n", modulePath+"/apps/grid")
	of := "F"
	if f.list {
		var args []string
		for k := range f.dim {
			args = append(args, fmt.Sprintf("x[%d]", k))
		}
		fmt.Fprintf(&b, "func ofPoint(x [%d]float64) float64 { return F(%s) }\n\n", f.dim, strings.Join(args, ", "))
		of = "ofPoint"
	}
	fmt.Fprintf(&b, "func main() {\n\tf := grid.Of(%s)\n\tf.Name = %q\n\tf.Version = %q\n\tgrid.Main(f)\n}\n", of,
		"F of "+name, checkpoint.Digest(f.text))
	return b.String()
}

// runFile builds a program with the function of a Go file, and runs the command in it.
func runFile(ctx context.Context, env *app.Env, name string, dim int) error {
	f, err := readFunction(name)
	if err != nil {
		return app.InputErrorf("--func: %w", err)
	}
	if f.dim != dim {
		return app.InputErrorf("--func: F in %s has %s, but there %s", name, app.Count(f.dim, "variable"),
			axesText(dim))
	}
	tool, err := exec.LookPath("go")
	if err != nil {
		return errors.New("--func needs the go command, which is not in PATH; install Go from https://go.dev/dl, " +
			"or write the function as a formula with --expr")
	}
	dir, err := os.MkdirTemp("", "skelgo-grid-")
	if err != nil {
		return err
	}
	output.Temporary(dir)
	defer os.RemoveAll(dir)
	b := &build{ctx: ctx, tool: tool, dir: dir}
	progress := app.NewProgress(env)
	progress.Printf("building %s", name)
	err = b.program(f, filepath.Base(name))
	progress.Done()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, filepath.Join(dir, "function"), childArgs(env.Args)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = env.Stdin, env.Stdout, env.Stderr
	err = cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = &childError{exit.ExitCode()}
		if exit.ExitCode() == app.ExitInput {
			err = app.InputError(err)
		}
	}
	return err
}

// childError is an error that the program has already reported.
type childError struct{ code int }

func (e *childError) Error() string {
	return fmt.Sprintf("the program with the function ended with exit code %d; see above", e.code)
}

// childArgs returns the arguments of the command without those that select the function.
func childArgs(args []string) (list []string) {
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "--func":
			i++
		case strings.HasPrefix(args[i], "--func="):
		case len(list) == 0 && (args[i] == "grid" || args[i] == "minimize"):
		default:
			list = append(list, args[i])
		}
	}
	return list
}

// build builds a program in a module of its own.
type build struct {
	ctx       context.Context
	tool, dir string
	download  string // the command that downloads what a build needs
}

// program writes the module and builds it.
func (b *build) program(f *goFunction, name string) error {
	// Messages name the file, so it keeps its name, unless the go command would leave it out or it is
	// that of another file: main.go, _f.go, f_test.go, f_windows.go.
	base, is := strings.CutSuffix(name, ".go")
	if !is || base == "main" || base == "zkernels" || strings.ContainsAny(base, "_") || strings.HasPrefix(base, ".") {
		name = "function.go"
	}
	mod, sum, err := b.module()
	if err != nil {
		return err
	}
	for to, text := range map[string][]byte{
		"go.mod": mod, "go.sum": sum, "main.go": []byte(f.main(name)), name: f.text,
	} {
		if err := os.WriteFile(filepath.Join(b.dir, to), text, 0o600); err != nil {
			return err
		}
	}
	if err := b.run("tool", "skelgen"); err != nil {
		return app.InputErrorf("--func: the function cannot be translated: %w", err)
	}
	if err := b.run("build", "-o", "function", "."); err != nil {
		return app.InputErrorf("--func: the function cannot be built: %w", err)
	}
	return nil
}

// environment returns the environment of the go command. The command keeps the user's settings, except
// those that belong to the user's own module, and downloads nothing.
func (b *build) environment() ([]string, error) {
	// go env also knows the settings that go env -w has written.
	env := append(os.Environ(), "GOWORK=off", "GOPROXY=off", "GOSUMDB=off", "PWD="+b.dir)
	cmd := exec.CommandContext(b.ctx, b.tool, "env", "GOFLAGS")
	cmd.Dir, cmd.Env = b.dir, env
	flags, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOFLAGS: %w", err)
	}
	return append(env, "GOFLAGS="+moduleFlags(string(flags))), nil
}

// moduleFlags returns the flags of GOFLAGS for a module that go may complete: those of the user but -mod,
// and -mod=mod.
func moduleFlags(flags string) string {
	list := slices.DeleteFunc(strings.Fields(flags), func(f string) bool {
		name, _, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		return name == "mod" || name == "modfile"
	})
	return strings.Join(append(list, "-mod=mod"), " ")
}

// run runs the go command. Its error is what the command printed.
func (b *build) run(args ...string) error {
	cmd := exec.CommandContext(b.ctx, b.tool, args...)
	cmd.Dir = b.dir
	var err error
	if cmd.Env, err = b.environment(); err != nil {
		return err
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	if strings.Contains(out.String(), "GOPROXY=off") {
		return fmt.Errorf("it needs modules that are not on this machine, and --func downloads nothing; "+
			"run this first: %s (%s)", b.download, firstLine(out.String()))
	}
	if text := strings.TrimSpace(out.String()); err != nil && text != "" {
		return errors.New(strings.ReplaceAll(text, b.dir+string(filepath.Separator), ""))
	}
	return err
}

// firstLine returns the first line of a text that is not a comment of the go command.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return line
		}
	}
	return ""
}

// module returns the go.mod and go.sum of a module that uses the skelgo from which this program was
// built: the folder of the source if it is on this machine, and otherwise the released version.
func (b *build) module() (mod, sum []byte, err error) {
	const head = "module function\n\n"
	_, file, _, _ := runtime.Caller(0)
	if source := sourceOf(file); source != "" {
		b.download = fmt.Sprintf("cd %q && go mod download", source)
		mod, err := os.ReadFile(filepath.Join(source, "go.mod"))
		if err != nil {
			return nil, nil, err
		}
		rest := mod[bytes.IndexByte(mod, '\n'):] // the versions of what skelgo needs, and its tools
		text := fmt.Sprintf("%s%s\nrequire %s v0.0.0\n\nreplace %s => %s\n", head, rest, modulePath, modulePath,
			strconv.Quote(source))
		sum, err := os.ReadFile(filepath.Join(source, "go.sum"))
		return []byte(text), sum, err
	}
	version := ""
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Path == modulePath {
		version = info.Main.Version
	}
	if version == "" || strings.HasPrefix(version, "(") {
		return nil, nil, errors.New("--func needs the source from which skelgo was built, and it is not on this " +
			"machine; build skelgo here, or install a release with go install")
	}
	b.download = fmt.Sprintf("go install %s/codegen/skelgen@%s", modulePath, version)
	text := fmt.Sprintf("%sgo %s\n\nrequire %s %s\n\ntool %s/codegen/skelgen\n", head,
		strings.TrimPrefix(runtime.Version(), "go"), modulePath, version, modulePath)
	return []byte(text), nil, nil
}

// sourceOf returns the folder of the source from which this program was built, or "" if it is not on this
// machine; file is the path of this file as the compiler recorded it. Other folders, such as the working
// directory, are not searched: whoever wrote into them would choose the program that is run.
func sourceOf(file string) string {
	dir := filepath.Dir(filepath.Dir(filepath.Dir(file)))
	if !filepath.IsAbs(dir) { // built with -trimpath
		return ""
	}
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil || !bytes.HasPrefix(mod, []byte("module "+modulePath+"\n")) {
		return ""
	}
	return dir
}
