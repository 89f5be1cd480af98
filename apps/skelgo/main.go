package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/skelgo/skelgo/apps"
	"github.com/skelgo/skelgo/apps/bench"
	"github.com/skelgo/skelgo/apps/compare"
	"github.com/skelgo/skelgo/apps/internal/app"
)

// commands is the command line. The applications come first.
type commands struct {
	kong.Plugins
	Demo    demos           `cmd:"" help:"Run an application on built-in data."`
	Bench   bench.Command   `cmd:"" help:"Measure the skeletons against CUB, cuBLAS and hand-written code."`
	Compare compare.Command `cmd:"" help:"Compare applications with hand-written OpenCL versions."`
	Devices devicesCommand  `cmd:"" help:"List the devices, and explain why others are missing."`
	Version versionCommand  `cmd:"" help:"Print the version."`
}

// demos are the applications that need no file.
type demos struct{ kong.Plugins }

// newCommands returns the command line with the commands of all applications.
func newCommands() *commands {
	c := new(commands)
	for _, a := range apps.All {
		if a.Command != nil {
			c.Plugins = append(c.Plugins, plugin(a.Name, a.Help, a.Command))
		}
		if a.Demo != nil {
			c.Demo.Plugins = append(c.Demo.Plugins, plugin(a.Name, a.DemoHelp, a.Demo))
		}
	}
	return c
}

// plugin returns a pointer to a struct that has one command as its field.
func plugin(name, help string, command any) any {
	return reflect.New(reflect.StructOf([]reflect.StructField{{
		Name: "Command",
		Type: reflect.TypeOf(command),
		Tag:  reflect.StructTag(fmt.Sprintf(`cmd:"" name:%q help:%q`, name, help)),
	}})).Interface()
}

const description = `Applications written with algorithmic skeletons, for the CPU, OpenCL devices and NVIDIA GPUs.

The device is chosen with -d or SKEL_DEVICE: cpu, opencl:0, cuda:0, ... The default is a GPU if there is one, else
the CPU. The first run on a device compiles kernels, which may take seconds; later runs find them in a cache.

With --json, a command prints each result as one line of JSON; bench writes a file. An output named -
goes to standard output. Several outputs are written together: if one fails, none is left. No output may be an
input.

Exit codes: 0 success; 1 something failed, such as a device or a full disk; 2 an error in the command line or the
data; 130 interrupted with Ctrl-C; 134 skelgo crashed, which is a bug, or had too little memory; 141 nobody reads
standard output any more.`

func main() {
	app.AbortOnCrash()
	env := app.NewEnv()
	err := run(env)
	if err == nil {
		err = env.Close()
	}
	os.Exit(exitCode(env, err))
}

// exitCode reports an error, and returns the program's exit code.
func exitCode(env *app.Env, err error) int {
	switch {
	case err == nil:
		return app.ExitOK
	case errors.Is(err, context.Canceled):
		return app.ExitInterrupted // Interruptible has printed a message
	case brokenStdout(err):
		return app.ExitBrokenPipe // without a message, as after head -1
	}
	env.Failf("%s", strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", " "))
	return app.ExitCode(err)
}

// brokenStdout reports whether err says that nothing reads standard output any more. A
// broken pipe to a yardstick is another error.
func brokenStdout(err error) bool {
	path, ok := errors.AsType[*fs.PathError](err)
	return ok && errors.Is(path, syscall.EPIPE) && (path.Path == os.Stdout.Name() || path.Path == "-")
}

// commandOf returns the command in which parsing the command line failed, such as
// "skelgo kmeans".
func commandOf(err error) string {
	if p, ok := errors.AsType[*kong.ParseError](err); ok {
		if n := p.Context.Selected(); n != nil {
			return n.FullPath()
		}
	}
	return "skelgo"
}

// run parses the command line and runs a command until it is done or
// interrupted.
func run(env *app.Env) error {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // or it would end the program and leave files
	return env.Interruptible(func(ctx context.Context) error {
		parser, err := kong.New(newCommands(), kong.Name("skelgo"), kong.Description(description),
			kong.Writers(env.Stdout, env.Stderr), kong.Vars{"compared": strings.Join(compare.Names(), ", ")},
			kong.BindTo(ctx, (*context.Context)(nil)), kong.Bind(env),
			kong.ConfigureHelp(kong.HelpOptions{Compact: true}))
		if err != nil {
			return err
		}
		args := env.Args
		if len(args) == 0 {
			args = []string{"--help"}
		}
		done := false
		parser.Exit = func(int) { done = true } // help was printed
		if args, err = app.Arguments(parser.Model, args); err != nil {
			return fmt.Errorf("%w (see skelgo --help)", err)
		}
		command, err := parser.Parse(args)
		switch {
		case done:
			return flush(env)
		case err != nil:
			return app.InputErrorf("%w (see %s --help)", err, commandOf(err))
		}
		defer env.WatchBuilds()()
		if err := command.Run(); err != nil {
			_ = flush(env) // the first error says more
			return err
		}
		return flush(env)
	})
}

// flush writes what is left of standard output.
func flush(env *app.Env) error {
	if err := env.Flush(); err != nil {
		return fmt.Errorf("cannot write the result: %w", err)
	}
	return nil
}

// versionCommand is skelgo version.
type versionCommand struct {
	Licenses bool `help:"Print the licences of the software that skelgo contains."`
}

// licenses is what genlicenses writes.
//
//go:embed licenses.txt
var licenses string

// Run prints the version that the Go toolchain recorded in the program, or the licences.
func (c versionCommand) Run(env *app.Env) error {
	if c.Licenses {
		_, err := io.WriteString(env.Stdout, licenses)
		return err
	}
	version := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
	}
	_, err := io.WriteString(env.Stdout, fmt.Sprintf("skelgo %s %s %s/%s\n", version, runtime.Version(), runtime.GOOS,
		runtime.GOARCH))
	return err
}
