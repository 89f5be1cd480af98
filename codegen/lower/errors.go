package lower

import (
	"fmt"
	"go/token"
	"slices"
	"strings"
)

// Error is one construct that cannot run on a device.
type Error struct {
	Pos     token.Position
	Rule    string // "SK007", explained in docs/subset.md
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

// Elsewhere is the error as it is reported at a mention of the function called
// name, whose source somebody else maintains.
func (e *Error) Elsewhere(name string, at token.Position) *Error {
	return &Error{Pos: at, Rule: ruleOutside.ID, Message: e.elsewhere(name, name), Hint: ruleOutside.Instead}
}

// elsewhere says why the function called name cannot run on a device. The error
// names the calls that lead to it, unless there is only the chain given.
func (e *Error) elsewhere(name, chain string) string {
	message, calls, ok := strings.Cut(e.Message, " (")
	if ok {
		chain = strings.TrimSuffix(calls, ")")
	}
	return fmt.Sprintf("%s cannot run on a device: %s, %s at %s (%s)", name, e.Rule, message, e.Pos, chain)
}

// Errors is everything that is wrong with one function, by position.
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
