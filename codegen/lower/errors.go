package lower

import (
	"fmt"
	"go/token"
	"slices"
	"strings"
)

// Error reports one construct that cannot run on a device.
type Error struct {
	Pos     token.Position
	Rule    string // "SK007", documented in docs/subset.md
	Message string // what was found
	Hint    string // what to write instead; may be empty
}

func (e *Error) Error() string {
	s := fmt.Sprintf("%s: %s: %s", e.Pos, e.Rule, e.Message)
	if e.Hint != "" {
		s += ": " + e.Hint
	}
	return s
}

// Elsewhere returns the error as it is reported at a mention of the function
// called name, if its source is maintained elsewhere.
func (e *Error) Elsewhere(name string, at token.Position) *Error {
	return &Error{Pos: at, Rule: ruleOutside.ID, Message: e.elsewhere(name, name), Hint: ruleOutside.Instead}
}

// elsewhere returns why the function called name cannot run on a device. The
// text contains the calls that lead to the error, or chain if there are none.
func (e *Error) elsewhere(name, chain string) string {
	message, calls, ok := strings.Cut(e.Message, " (")
	if ok {
		chain = strings.TrimSuffix(calls, ")")
	}
	return fmt.Sprintf("%s cannot run on a device: %s, %s at %s (%s)", name, e.Rule, message, e.Pos, chain)
}

// Errors holds all errors in one function, sorted by position.
type Errors []*Error

func (l Errors) Error() string {
	lines := make([]string, len(l))
	for i, e := range l {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

func (l Errors) sort() {
	slices.SortStableFunc(l, func(a, b *Error) int {
		if c := strings.Compare(a.Pos.Filename, b.Pos.Filename); c != 0 {
			return c
		}
		return a.Pos.Offset - b.Pos.Offset
	})
}
