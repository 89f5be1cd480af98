package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/skelgo/skelgo/apps/internal/printable"
)

// Env is the environment of a command: its arguments and standard streams.
type Env struct {
	Args           []string // the command line, without the program's name
	Stdin          io.Reader
	Stdout, Stderr io.Writer

	line line // shows progress on standard error
}

// NewEnv returns the environment of this process. What is written to Stdout is buffered until its method
// Flush is called. On a terminal it is printable: the names in a file cannot control it.
func NewEnv() *Env {
	as := func(text string) string { return text }
	if isTerminal(os.Stdout) {
		as = printable.String
	}
	return &Env{Args: os.Args[1:], Stdin: os.Stdin, Stdout: printable.NewWriter(os.Stdout, as), Stderr: os.Stderr}
}

// Flush writes what Stdout has buffered, if it is that of NewEnv.
func (e *Env) Flush() error {
	f, ok := e.Stdout.(interface{ Flush() error })
	if !ok {
		return nil
	}
	return f.Flush()
}

// Notef prints a message for the user on standard error.
func (e *Env) Notef(format string, args ...any) {
	e.line.print(e, printable.String(fmt.Sprintf("skelgo: "+format+"\n", args...)))
}

// JSON writes v to standard output as one line.
func (e *Env) JSON(v any) error {
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(v); err != nil {
		return err
	}
	_, err := e.Stdout.Write(printable.JSON(b.Bytes()))
	return err
}

// CommandLine returns the command line as it was typed, for the headers of files.
func (e *Env) CommandLine() string { return strings.Join(append([]string{"skelgo"}, e.Args...), " ") }

// Terminal reports whether standard error is a terminal, where progress may be
// shown.
func (e *Env) Terminal() bool {
	f, ok := e.Stderr.(*os.File)
	if !ok {
		return false
	}
	return isTerminal(f) && os.Getenv("TERM") != "dumb"
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
