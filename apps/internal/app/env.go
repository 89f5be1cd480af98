package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/apps/internal/printable"
	"github.com/skelgo/skelgo/devices"
)

// Env is the environment of a command: its arguments and standard streams.
type Env struct {
	Args           []string // the command line, without the program's name
	Stdin          io.Reader
	Stdout, Stderr io.Writer

	line line // shows progress on standard error
	rank int  // among the processes that mpirun has started
}

// errorPause is how long a rank other than 0 waits before it prints an error. Mostly all ranks
// find the same one; then rank 0 has ended meanwhile, and mpirun ends the others.
const errorPause = 2 * time.Second

// NewEnv returns the environment of this process. What is written to Stdout is buffered until its method
// Flush is called. On a terminal it is printable: the names in a file cannot control it.
func NewEnv() *Env {
	if rank := devices.Rank(); rank > 0 { // rank 0 prints and writes what all have computed
		output.Nowhere()
		return &Env{
			Args: os.Args[1:], Stdin: devices.FromFirst(os.Stdin), Stdout: io.Discard, Stderr: io.Discard, rank: rank,
		}
	}
	as := func(text string) string { return text }
	if isTerminal(os.Stdout) {
		as = printable.String
	}
	return &Env{
		Args: os.Args[1:], Stdin: devices.FromFirst(os.Stdin), Stdout: printable.NewWriter(os.Stdout, as),
		Stderr: os.Stderr,
	}
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

// Failf is Notef for the error that ends the program. If it runs on several ranks, one of them
// prints an error that all have found.
func (e *Env) Failf(format string, args ...any) {
	if e.rank > 0 {
		time.Sleep(errorPause)
		_, _ = fmt.Fprint(os.Stderr, printable.String(fmt.Sprintf("skelgo: rank %d: "+format+"\n",
			append([]any{e.rank}, args...)...)))
		return
	}
	e.Notef(format, args...)
}

// Close closes all devices at the end of a command that has succeeded. Without it, a launcher
// such as mpirun would report a failure.
func (e *Env) Close() error {
	if !devices.Launched() {
		return nil
	}
	return devices.Close()
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
