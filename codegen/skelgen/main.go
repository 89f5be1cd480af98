package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/skelgo/skelgo/codegen"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run runs the command and returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("skelgen", flag.ContinueOnError)
	flags.SetOutput(stderr)
	check := flags.Bool("check", false, "write nothing; fail if a generated file is not up to date")
	printed := flags.String("print", "", "write nothing; print the meaning of the `function`, such as\n"+
		"kmeans.nearest or kmeans.go:12, and its C")
	dir := flags.String("C", ".", "run in `dir`")
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: go tool skelgen [-check | -print function] [-C dir] [packages]")
		flags.PrintDefaults()
	}
	if flags.Parse(args) != nil {
		return 2
	}
	program, err := codegen.Load(*dir, flags.Args()...)
	if err != nil {
		fmt.Fprintln(stderr, here(err.Error()))
		return 1
	}
	if *printed != "" {
		text, problems, err := program.Print(*printed)
		fmt.Fprint(stdout, text)
		return report(stderr, problems, err)
	}
	files, problems, err := program.Generate()
	status := report(stderr, problems, err)
	for _, f := range files {
		change, err := f.Change()
		if err == nil && change != "" {
			if *check {
				status = 1
				fmt.Fprintf(stderr, "%s is %s: run 'go generate'\n", here(f.Path), change)
				continue
			}
			err = f.Write()
		}
		if err != nil {
			fmt.Fprintln(stderr, "skelgen:", err)
			status = 1
		}
	}
	return status
}

// report prints what was wrong and returns the exit status.
func report(stderr io.Writer, problems []codegen.Problem, err error) (status int) {
	if err != nil {
		fmt.Fprintln(stderr, "skelgen:", err)
		return 1
	}
	for _, p := range problems {
		fmt.Fprintln(stderr, here(p.String()))
		status = 1
	}
	return status
}

// here shortens paths below the current directory.
func here(s string) string {
	wd, err := os.Getwd()
	if err != nil {
		return s
	}
	return strings.ReplaceAll(s, wd+string(filepath.Separator), "")
}
