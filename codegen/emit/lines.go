package emit

import (
	"fmt"
	"strings"

	"github.com/skelgo/skelgo/codegen/ir"
)

// lines builds text whose lines have Go positions: if the text gets out of step
// with the Go source, blank lines or a #line directive correct it.
type lines struct {
	text    []byte
	file    string
	free    bool // positions do not matter
	current int  // the Go line of the next line of text
	indent  int
	simple  int   // the Go line of the last line of text, if a statement may be added to it
	opened  []int // the start of each open block's text
}

// at sets the position of the next line.
func (w *lines) at(pos ir.Pos) {
	if w.free || pos.Line == 0 || pos.Line == w.current {
		return
	}
	if gap := pos.Line - w.current; w.current > 0 && gap > 0 && gap <= 2 && pos.File == w.file {
		w.write(strings.Repeat("\n", gap))
	} else {
		w.write(fmt.Sprintf("#line %d %q\n", pos.Line, pos.File))
		w.file = pos.File
	}
	w.current = pos.Line
}

// statement writes a simple statement. Statements from one Go line share a
// line.
func (w *lines) statement(pos ir.Pos, text string) {
	if w.simple > 0 && w.simple == pos.Line && pos.File == w.file && !w.free {
		w.text = append(w.text[:len(w.text)-1], " "+text+"\n"...)
		return
	}
	w.at(pos)
	w.line("%s", text)
	w.simple = w.current - 1
}

func (w *lines) line(format string, args ...any) {
	w.write(strings.Repeat("\t", w.indent) + fmt.Sprintf(format, args...) + "\n")
	w.current++
	w.simple = 0
}

func (w *lines) write(s string) { w.text = append(w.text, s...) }

// open begins a block. A statement from the same Go line may follow on the same
// line, and so may the end of the block.
func (w *lines) open(format string, args ...any) {
	w.line(format, args...)
	w.indent++
	w.simple = w.current - 1
	w.opened = append(w.opened, w.current)
}

func (w *lines) close(s string) {
	w.indent--
	opened := w.opened[len(w.opened)-1]
	w.opened = w.opened[:len(w.opened)-1]
	if w.current == opened {
		w.join(s)
		return
	}
	w.line("%s", s)
}

// closeCase ends a block on the line of its last statement, because the end of
// a switch case has no line in Go.
func (w *lines) closeCase(s string) {
	if w.simple == 0 {
		w.close(s)
		return
	}
	w.indent--
	w.opened = w.opened[:len(w.opened)-1]
	w.join(s)
}

func (w *lines) join(s string) {
	w.text = append(w.text[:len(w.text)-1], " "+s+"\n"...)
	w.simple = 0
}

// reopen ends a block and begins the next: } else {.
func (w *lines) reopen(format string, args ...any) {
	w.indent--
	w.opened = w.opened[:len(w.opened)-1]
	w.open(format, args...)
}
