package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"github.com/skelgo/skelgo/apps/bench"
	"github.com/skelgo/skelgo/apps/compare"
	"github.com/skelgo/skelgo/apps/heat"
	"github.com/skelgo/skelgo/apps/internal/atomicfile"
	"github.com/skelgo/skelgo/apps/internal/cli"
	"github.com/skelgo/skelgo/apps/kmeans"
	"github.com/skelgo/skelgo/apps/nw"
)

// commands is the command line. An application adds one line here.
type commands struct {
	Kmeans  kmeans.Command  `cmd:"" help:"Divide objects into clusters (k-means)."`
	NW      nw.Command      `cmd:"" name:"nw" help:"Align sequences of proteins or nucleotides (Needleman-Wunsch)."`
	Heat    heat.Command    `cmd:"" help:"Let heat spread on a plate, and draw it."`
	Demo    demos           `cmd:"" help:"Run an application on data that it brings along."`
	Bench   bench.Command   `cmd:"" help:"Measure the skeletons against the device copy, CUB, cuBLAS and what is written by hand."`
	Compare compare.Command `cmd:"" help:"Compare applications with their twins written on OpenCL: lines of code and run time."`
	Devices devicesCommand  `cmd:"" help:"List the devices, and why others are missing."`
	Version versionCommand  `cmd:"" help:"Print the version."`
}

// demos are the applications that need no file.
type demos struct {
	Kmeans kmeans.Demo `cmd:"" help:"Cluster the iris data, or generated objects."`
}

const description = `Algorithms from skeletons, on the CPU, OpenCL devices and GPUs.

The device is chosen with -d or SKEL_DEVICE: cpu, opencl:0, ... By default it is a GPU if there is one, else the CPU.

Exit codes: 0 all went well; 1 something broke on the way; 2 the command line or the data are at fault; 130 Ctrl-C.`

func main() {
	out := bufio.NewWriter(os.Stdout)
	env := &cli.Env{Args: os.Args[1:], Stdin: os.Stdin, Stdout: out, Stderr: os.Stderr}
	err := run(env)
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "skelgo: interrupted")
		os.Exit(cli.Interrupted)
	}
	if flushed := out.Flush(); err == nil && flushed != nil {
		err = fmt.Errorf("cannot write the result: %w", flushed)
	}
	if err != nil {
		env.Notef("%s", strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", " "))
	}
	os.Exit(cli.ExitCode(err))
}

// run parses the command line and runs a command until it is done or
// interrupted.
func run(env *cli.Env) error {
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as with nohup
		ends = append(ends, syscall.SIGHUP) // the terminal is gone
	}
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	parser, err := kong.New(&commands{}, kong.Name("skelgo"), kong.Description(description),
		kong.BindTo(ctx, (*context.Context)(nil)), kong.Bind(env), kong.ConfigureHelp(kong.HelpOptions{Compact: true}))
	if err != nil {
		return err
	}
	args := env.Args
	if len(args) == 0 {
		args = []string{"--help"}
	}
	command, err := parser.Parse(joinNegative(args))
	if err != nil {
		return cli.Badf("%w (skelgo --help shows how it goes)", err)
	}
	done := make(chan struct{})
	go func() {
		err = command.Run()
		close(done) // not deferred: a panic must end the program, not look like a success
	}()
	select {
	case <-done:
		return err
	case <-ctx.Done():
		// Commands look at ctx often, but not in the middle of a launch.
		select {
		case <-done:
		case <-time.After(3 * time.Second):
			atomicfile.Abandon()
		}
		return context.Canceled
	}
}

// joinNegative makes --flag=-4 of --flag -4: the parser would look for a flag named 4.
func joinNegative(args []string) []string {
	var list []string
	for i, arg := range args {
		if arg == "--" {
			return append(list, args[i:]...)
		}
		last := len(list) - 1
		_, err := strconv.ParseFloat(arg, 64)
		if err == nil && arg[0] == '-' && last >= 0 && strings.HasPrefix(list[last], "--") && !strings.Contains(list[last], "=") {
			list[last] += "=" + arg
			continue
		}
		list = append(list, arg)
	}
	return list
}

// versionCommand is skelgo version.
type versionCommand struct{}

// Run prints the version that the Go toolchain put into the program.
func (versionCommand) Run(env *cli.Env) error {
	version := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
	}
	_, err := io.WriteString(env.Stdout, fmt.Sprintf("skelgo %s %s %s/%s\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH))
	return err
}
