// Package cli is what the commands of the skelgo program share: the outside
// world as a command sees it, errors with exit codes, phases with their
// costs, and progress.
//
// Each application is a kong command, a struct of flags with a method
//
//	Run(ctx context.Context, env *cli.Env) error
//
// and the program's main.go lists them. What main.go does for all of them is
// here, too: arguments.go checks numbers on the command line, interrupt.go ends
// a command on Ctrl-C, progress.go owns the line on the terminal that shows
// progress and kernels being compiled.
package cli
