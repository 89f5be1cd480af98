// Package app is the frame of the applications: what an application is to the
// skelgo program, and what the commands of all applications share.
//
// An application is a folder with a variable App, which package apps lists.
// The skelgo program makes a command of it, skelgo compare measures its
// hand-written OpenCL versions, and skelgo bench its rows. Its command is a
// struct of flags for package kong that embeds [Flags] and has a method
//
//	Run(ctx context.Context, env *app.Env) error
//
// which calls [Run] with a [Job]: the job's methods check the options, read,
// compute, write and report, and Run does the rest.
//
// Start with app.go and job.go. errors.go has the exit codes; arguments.go
// checks numbers on the command line, interrupt.go ends a command on Ctrl-C,
// number.go writes numbers as JSON, progress.go owns the line of the terminal
// that shows progress and kernels being compiled, and format.go has tables,
// counts, durations and sizes.
package app
