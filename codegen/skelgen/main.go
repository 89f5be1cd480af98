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

func main() { os.Exit(run(os.Args[1:], os.Stderr)) }

// run runs the command and returns the exit status.
func run(args []string, stderr io.Writer) int {
	flags := flag.NewFlagSet("skelgen", flag.ContinueOnError)
	flags.SetOutput(stderr)
	check := flags.Bool("check", false, "write nothing; fail if a generated file is not up to date")
	dir := flags.String("C", ".", "run in `dir`")
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: go tool skelgen [-check] [-C dir] [packages]")
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
	files, problems, err := program.Generate()
	if err != nil {
		fmt.Fprintln(stderr, "skelgen:", err)
		return 1
	}
	status := 0
	for _, p := range problems {
		fmt.Fprintln(stderr, here(p.String()))
		status = 1
	}
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

// here shortens paths below the current directory.
func here(s string) string {
	wd, err := os.Getwd()
	if err != nil {
		return s
	}
	return strings.ReplaceAll(s, wd+string(filepath.Separator), "")
}
