package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/skelgo/skelgo/apps/internal/atomicfile"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/vector"
)

// Env is what a command reads from and writes to.
type Env struct {
	Args           []string // the command line, without the program's name
	Stdin          io.Reader
	Stdout, Stderr io.Writer

	line line // of progress, on standard error
}

// Notef tells the user something on standard error.
func (e *Env) Notef(format string, args ...any) {
	e.line.print(e, fmt.Sprintf("skelgo: "+format+"\n", args...))
}

// JSON writes v to standard output, as one line: with --json, commands print a
// line for each result.
func (e *Env) JSON(v any) error { return json.NewEncoder(e.Stdout).Encode(v) }

// CheckFiles finds outputs that are also inputs or other outputs, and those
// that cannot be written.
func CheckFiles(inputs, outputs []atomicfile.Named) error {
	if trace := os.Getenv("SKEL_TRACE"); trace != "" {
		outputs = append(outputs, atomicfile.Named{Option: "SKEL_TRACE", Name: trace})
	}
	return Bad(atomicfile.Check(inputs, outputs))
}

// Terminal reports whether standard error is a terminal, and so whether
// progress may be shown there.
func (e *Env) Terminal() bool {
	f, ok := e.Stderr.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}

// Table is a table in the house style.
func Table(header ...any) table.Writer {
	t := table.NewWriter()
	style := table.StyleLight
	style.Format.Header = text.FormatDefault
	style.Options = table.Options{SeparateHeader: true, DrawBorder: false}
	style.Box.PaddingLeft, style.Box.PaddingRight = "", "  "
	t.SetStyle(style)
	t.SuppressTrailingSpaces()
	t.AppendHeader(header)
	return t
}

// Fold breaks a long name into lines of at most width characters for a
// table's header: at blanks, and before the capitals of a NameLikeThis. What
// has no such place, and what is beyond the third line, is cut off.
func Fold(name string, width int) string {
	var parts []string
	for _, word := range strings.Fields(name) {
		start, last := 0, ' '
		for i, r := range word {
			if unicode.IsUpper(r) && unicode.IsLower(last) && utf8.RuneCountInString(word) > width {
				parts, start = append(parts, word[start:i]), i
			}
			last = r
		}
		parts = append(parts, word[start:]+" ")
	}
	var lines []string
	for _, p := range parts {
		n := len(lines)
		if n > 0 && utf8.RuneCountInString(strings.TrimSpace(lines[n-1]+p)) <= width {
			lines[n-1] += p
		} else {
			lines = append(lines, p)
		}
	}
	for i, l := range lines {
		lines[i] = text.Snip(strings.TrimSpace(l), width, "~")
	}
	if len(lines) > 3 {
		lines = append(lines[:2], text.Snip(lines[2], width-1, "")+"~")
	}
	return strings.Join(lines, "\n")
}

// AlignRight aligns columns, counted from 1, to the right.
func AlignRight(t table.Writer, columns ...int) {
	var config []table.ColumnConfig
	for _, c := range columns {
		config = append(config, table.ColumnConfig{Number: c, Align: text.AlignRight, AlignHeader: text.AlignRight, VAlignHeader: text.VAlignBottom})
	}
	t.SetColumnConfigs(config)
}

// Device gives the one device that a command line asks for with -d, or the
// default one when spec is empty.
func Device(spec string) (*devices.Device, error) {
	if spec == "" {
		d, err := devices.Default()
		return d, Bad(err)
	}
	found, err := devices.Get(spec)
	switch {
	case err != nil:
		return nil, Bad(err)
	case len(found) > 1:
		return nil, Badf("-d %s: these are %d devices; this command runs on one", spec, len(found))
	}
	return found[0], nil
}

// Devices gives the devices that a command line asks for with -d, or the
// program's when spec is empty.
func Devices(spec string) ([]*devices.Device, error) {
	if spec == "" {
		devs, err := devices.Defaults()
		return devs, Bad(err)
	}
	devs, err := devices.Get(spec)
	return devs, Bad(err)
}

// Spread is where a command puts a container of so many bytes: over all the
// devices that it was given, if that pays (SKEL_SPLIT), else on the first.
func Spread(devs []*devices.Device, bytes int64) vector.Distribution {
	if bytes < devices.SplitFrom(devs) {
		return vector.Single(devs[0])
	}
	return vector.Block(devs...)
}

// Names are the devices of a distribution, for people: "cuda:0,cuda:1".
func Names(d vector.Distribution) string {
	var ids []string
	for _, dev := range d.Devices() {
		ids = append(ids, dev.ID())
	}
	return strings.Join(ids, ",")
}

// The exit codes of the program.
const (
	OK          = 0
	Failed      = 1   // something broke on the way: a device, a full disk
	BadInput    = 2   // the command line or the data are at fault
	Interrupted = 130 // Ctrl-C
	BrokenPipe  = 141 // the reader of standard output is gone
)

// badInput marks an error as the user's to mend.
type badInput struct{ error }

func (e badInput) Unwrap() error { return e.error }

// Bad marks an error as one of the command line or of the data, for exit
// code 2. Of nil it is nil.
func Bad(err error) error {
	if err == nil {
		return nil
	}
	return badInput{err}
}

// Badf makes such an error.
func Badf(format string, args ...any) error { return Bad(fmt.Errorf(format, args...)) }

// ExitCode is the exit code for an error.
func ExitCode(err error) int {
	switch {
	case err == nil:
		return OK
	case errors.As(err, new(badInput)):
		return BadInput
	default:
		return Failed
	}
}
