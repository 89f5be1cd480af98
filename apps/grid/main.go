package grid

import (
	"context"
	"errors"
	"os"

	"github.com/alecthomas/kong"

	"github.com/skelgo/skelgo/apps/internal/app"
)

// Main is the main function of a program that finds the minimum of f. Its command line is that of
// skelgo grid without the name of a function:
//
//	func main() { grid.Main(grid.Of(F)) }
//
// skelgo grid --func builds such a program.
func Main(f *Function) {
	app.AbortOnCrash()
	env := app.NewEnv()
	err := env.Interruptible(func(ctx context.Context) error { return run(ctx, env, f) })
	if errors.Is(err, context.Canceled) {
		os.Exit(app.ExitInterrupted)
	}
	if err != nil {
		env.Notef("%v", err)
	}
	os.Exit(app.ExitCode(err))
}

// run parses the command line and runs the command.
func run(ctx context.Context, env *app.Env, f *Function) error {
	c := &MinimizeCommand{custom: f}
	done := false
	parser, err := kong.New(c, kong.Name(f.Name), kong.Writers(env.Stdout, env.Stderr),
		kong.Exit(func(int) { done = true })) // help was printed
	if err != nil {
		return err
	}
	args, err := app.Arguments(parser.Model, env.Args)
	if err != nil {
		return err
	}
	if _, err := parser.Parse(args); err != nil && !done {
		return app.InputError(err)
	}
	if !done {
		defer env.WatchBuilds()()
		if err := c.Run(ctx, env); err != nil {
			return err
		}
	}
	return env.Flush()
}
