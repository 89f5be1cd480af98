package emit

import (
	"fmt"
	"strings"

	"github.com/skelgo/skelgo/codegen/ir"
)

// lines builds text whose lines carry Go positions: where the text has drifted
// from the Go source, a blank line or two or a #line directive brings it back.
type lines struct {
	text    []byte
	file    string
	current int // the Go line that the next line of text belongs to
	indent  int
	simple  int   // the Go line of the last line of text, when a statement may be added to it
	opened  []int // where each open block's text began
}

// at says that the next line belongs to pos.
func (w *lines) at(pos ir.Pos) {
	if pos.Line == 0 || pos.Line == w.current {
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

// statement writes a simple statement. Those of one Go line share a line.
func (w *lines) statement(pos ir.Pos, text string) {
	if w.simple > 0 && w.simple == pos.Line && pos.File == w.file {
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

// open begins a block; a statement of the same Go line may follow on the
// same line, and so may the end of the block.
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

// closeCase ends a block on the line of its last statement, as a case of a
// switch has no line for its end in Go.
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
