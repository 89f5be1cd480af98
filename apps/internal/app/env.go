package app

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

// Env is the environment of a command: its arguments and standard streams.
type Env struct {
	Args           []string // the command line, without the program's name
	Stdin          io.Reader
	Stdout, Stderr io.Writer

	line line // shows progress on standard error
}

// Notef prints a message for the user on standard error.
func (e *Env) Notef(format string, args ...any) {
	e.line.print(e, fmt.Sprintf("skelgo: "+format+"\n", args...))
}

// JSON writes v to standard output as one line.
func (e *Env) JSON(v any) error { return json.NewEncoder(e.Stdout).Encode(v) }

// CommandLine returns the command line as it was typed, for the headers of files.
func (e *Env) CommandLine() string { return strings.Join(append([]string{"skelgo"}, e.Args...), " ") }

// Terminal reports whether standard error is a terminal, where progress may be
// shown.
func (e *Env) Terminal() bool {
	f, ok := e.Stderr.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}
