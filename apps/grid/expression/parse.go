package expression

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxVariables is the number of variables that formulas can have.
const MaxVariables = 8

// Error is an error in a formula.
type Error struct {
	Text    string // the formula
	Offset  int    // where the error is, in bytes
	Message string
}

// Error says where the error is, and what is wrong.
func (e *Error) Error() string {
	rest := e.Text[min(e.Offset, len(e.Text)):]
	if r := []rune(rest); len(r) > 20 {
		rest = string(r[:20]) + "..."
	}
	at := "at the end"
	if strings.TrimSpace(rest) != "" {
		at = fmt.Sprintf("column %d, before %q", utf8.RuneCountInString(e.Text[:e.Offset])+1, rest)
	}
	return fmt.Sprintf("%s: %s", at, e.Message)
}

// Parse reads a formula. Its error is of type *Error.
func Parse(text string) (*Program, error) {
	p := &parser{text: text, builder: newBuilder()}
	if err := p.next(); err != nil {
		return nil, err
	}
	result, err := p.sum()
	if err != nil {
		return nil, err
	}
	if p.token != "" {
		if p.kind == word || p.kind == number || p.token == "(" {
			return nil, p.errorf(p.start, "an operator is missing")
		}
		return nil, p.errorf(p.start, "%q is unexpected", p.token)
	}
	return p.program(text, result), nil
}

// tokenKind is a kind of token.
type tokenKind int

const (
	end tokenKind = iota
	number
	word
	symbol
)

// parser is a parser by recursive descent, with one token of lookahead.
type parser struct {
	*builder
	text  string
	at    int // the end of the token
	start int
	token string // "" at the end
	kind  tokenKind
	depth int
}

// maxDepth limits the depth of parentheses, and so the recursion.
const maxDepth = 200

func (p *parser) errorf(at int, format string, args ...any) error {
	return &Error{p.text, at, fmt.Sprintf(format, args...)}
}

// next reads a token.
func (p *parser) next() error {
	rest := strings.TrimLeftFunc(p.text[p.at:], unicode.IsSpace)
	p.start = len(p.text) - len(rest)
	p.at, p.token, p.kind = p.start, "", end
	if rest == "" {
		return nil
	}
	n := 0
	switch r, size := utf8.DecodeRuneInString(rest); {
	case r >= '0' && r <= '9' || r == '.':
		p.kind, n = number, numberLength(rest)
	case unicode.IsLetter(r):
		p.kind = word
		n = len(rest) - len(strings.TrimLeftFunc(rest, func(r rune) bool {
			return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_'
		}))
	case strings.HasPrefix(rest, "**"):
		p.kind, n = symbol, 2
	case strings.ContainsRune("+-*/^(),", r):
		p.kind, n = symbol, size
	default:
		return p.errorf(p.start, "the character %q has no meaning", r)
	}
	p.token, p.at = rest[:n], p.start+n
	return nil
}

// numberLength returns the length of the number with which a text begins.
func numberLength(s string) int {
	n := 0
	digits := func() {
		for n < len(s) && s[n] >= '0' && s[n] <= '9' {
			n++
		}
	}
	digits()
	if n < len(s) && s[n] == '.' {
		n++
		digits()
	}
	if n < len(s) && (s[n] == 'e' || s[n] == 'E') {
		mantissa := n
		if n++; n < len(s) && (s[n] == '+' || s[n] == '-') {
			n++
		}
		exponent := n
		if digits(); n == exponent { // 2e is 2 and a word
			n = mantissa
		}
	}
	return n
}

// accept skips the symbol s, and reports whether it was there.
func (p *parser) accept(s string) (bool, error) {
	if p.kind != symbol || p.token != s {
		return false, nil
	}
	return true, p.next()
}

// sum reads terms between + and -.
func (p *parser) sum() (int, error) {
	a, err := p.product()
	for err == nil && p.kind == symbol && (p.token == "+" || p.token == "-") {
		op := Add
		if p.token == "-" {
			op = Subtract
		}
		if err = p.next(); err != nil {
			break
		}
		var b int
		if b, err = p.product(); err == nil {
			a = p.binary(op, a, b)
		}
	}
	return a, err
}

// product reads factors between * and /.
func (p *parser) product() (int, error) {
	a, err := p.sign()
	for err == nil && p.kind == symbol && (p.token == "*" || p.token == "/") {
		op := Multiply
		if p.token == "/" {
			op = Divide
		}
		if err = p.next(); err != nil {
			break
		}
		var b int
		if b, err = p.sign(); err == nil {
			a = p.binary(op, a, b)
		}
	}
	return a, err
}

// sign reads signs and a power.
func (p *parser) sign() (int, error) {
	if p.depth++; p.depth > maxDepth {
		return 0, p.errorf(p.start, "the formula is nested too deeply")
	}
	defer func() { p.depth-- }()
	if is, err := p.accept("-"); is || err != nil {
		if err != nil {
			return 0, err
		}
		a, err := p.sign()
		if err != nil {
			return 0, err
		}
		return p.negate(a), nil
	}
	if is, err := p.accept("+"); is || err != nil {
		if err != nil {
			return 0, err
		}
		return p.sign()
	}
	return p.power()
}

// power reads a number, variable, call or parenthesis, and perhaps its exponent.
func (p *parser) power() (int, error) {
	base, err := p.primary()
	if err != nil || p.kind != symbol || p.token != "^" && p.token != "**" {
		return base, err
	}
	if err := p.next(); err != nil {
		return 0, err
	}
	exponent, err := p.sign() // -1 is an exponent, and ^ associates to the right
	if err != nil {
		return 0, err
	}
	return p.raise(base, exponent), nil
}

// primary reads a number, a variable, a call, or a formula in parentheses.
func (p *parser) primary() (int, error) {
	token, start, kind := p.token, p.start, p.kind
	if kind == end {
		return 0, p.errorf(start, "a number, a variable or a function is missing")
	}
	if err := p.next(); err != nil {
		return 0, err
	}
	switch {
	case kind == number:
		v, err := strconv.ParseFloat(token, 64)
		switch {
		case errors.Is(err, strconv.ErrRange):
			return 0, p.errorf(start, "%s is too large for a float64, whose largest number is about 1.8e308", token)
		case err != nil:
			return 0, p.errorf(start, "%q is not a number", token)
		}
		return p.constant(v), nil
	case kind == word:
		if is, err := p.accept("("); is || err != nil {
			if err != nil {
				return 0, err
			}
			return p.call(token, start)
		}
		return p.name(token, start)
	case token == "(":
		a, err := p.sum()
		if err != nil {
			return 0, err
		}
		return a, p.close()
	}
	return 0, p.errorf(start, "a number, a variable or a function is missing")
}

// close reads a closing parenthesis.
func (p *parser) close() error {
	is, err := p.accept(")")
	if err == nil && !is {
		err = p.errorf(p.start, "a closing parenthesis is missing")
	}
	return err
}

// name returns a variable or a constant.
func (p *parser) name(name string, at int) (int, error) {
	switch name {
	case "pi":
		return p.constant(math.Pi), nil
	case "e":
		return p.constant(math.E), nil
	}
	if k := strings.Index("xyzw", name); k >= 0 && len(name) == 1 {
		return p.variable(k), nil
	}
	if digits, is := strings.CutPrefix(name, "x"); is {
		if k, err := strconv.Atoi(digits); err == nil && k >= 1 && k <= MaxVariables && digits[0] != '0' {
			return p.variable(k - 1), nil
		}
	}
	if _, is := functions[name]; is {
		return 0, p.errorf(at, "the function %s needs an argument in parentheses", name)
	}
	return 0, p.errorf(at, "%q is not a variable; the variables are x, y, z, w and x1 to x%d", name, MaxVariables)
}

// call reads the arguments of a function.
func (p *parser) call(name string, at int) (int, error) {
	f, is := functions[name]
	if !is {
		return 0, p.errorf(at, "%q is not a function; available: %s", name, strings.Join(Names(), ", "))
	}
	var args []int
	for {
		a, err := p.sum()
		if err != nil {
			return 0, err
		}
		args = append(args, a)
		if more, err := p.accept(","); err != nil {
			return 0, err
		} else if !more {
			break
		}
	}
	if err := p.close(); err != nil {
		return 0, err
	}
	if len(args) != f.args {
		plural := "s"
		if f.args == 1 {
			plural = ""
		}
		return 0, p.errorf(at, "%s takes %d argument%s, not %d", name, f.args, plural, len(args))
	}
	if f.args == 1 {
		return p.unary(Call, name, args[0]), nil
	}
	return p.calls(name, args[0], args[1]), nil
}
