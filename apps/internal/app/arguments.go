package app

import (
	"encoding"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"
)

// Arguments prepares a command line for the parser: it puts each option and its
// value into one argument, so that a value may be a negative number, and checks
// numbers, because the parser's messages about them are for programmers.
func Arguments(app *kong.Application, args []string) ([]string, error) {
	node := app.Node
	var list []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			return append(list, args[i:]...), nil
		}
		if arg == "" {
			return nil, InputErrorf("an argument is empty")
		}
		if !strings.HasPrefix(arg, "-") || arg == "-" {
			if child := command(node, arg); child != nil {
				node = child
			}
			list = append(list, arg)
			continue
		}
		flag, name, value, given := option(node, arg)
		if flag == nil || flag.IsBool() || flag.IsCounter() { // the parser reports unknown flags
			list = append(list, arg)
			continue
		}
		if !given {
			if i+1 == len(args) {
				return nil, InputErrorf("%s: the value is missing", name)
			}
			i++
			value = args[i]
			if strings.HasPrefix(value, "-") && value != "-" && !numberLike(value) && !formulaLike(node, flag, value) {
				return nil, InputErrorf("%s: the value is missing before %s", name, value)
			}
		}
		if value == "" {
			return nil, InputErrorf("%s: the value is empty", name)
		}
		value, err := number(flag.Target.Type(), value)
		if err != nil {
			return nil, InputErrorf("%s %s: %w", name, value, err)
		}
		list = append(list, "--"+flag.Name+"="+value)
	}
	return list, nil
}

// command returns the subcommand called name, or nil.
func command(node *kong.Node, name string) *kong.Node {
	for _, child := range node.Children {
		if child.Name == name {
			return child
		}
	}
	return nil
}

// option finds the flag that an argument names, as it was typed, and its value
// if the argument holds one.
func option(node *kong.Node, arg string) (flag *kong.Flag, name, value string, given bool) {
	long := strings.HasPrefix(arg, "--")
	if long {
		name, value, given = strings.Cut(arg, "=")
	} else {
		name, value = arg[:2], strings.TrimPrefix(arg[2:], "=")
		given = len(arg) > 2
	}
	for node != nil {
		for _, group := range node.AllFlags(false) {
			for _, f := range group {
				if long && name == "--"+f.Name || !long && f.Short != 0 && name == "-"+string(f.Short) {
					return f, name, value, given
				}
			}
		}
		node = node.DefaultCmd // whose flags may follow without its name
	}
	return nil, name, "", false
}

// numberLike reports whether a value that starts with a sign is meant as a number.
func numberLike(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil || errors.Is(err, strconv.ErrRange) || len(s) > 1 && s[1] >= '0' && s[1] <= '9'
}

// formulaLike reports whether a value that starts with a sign is meant for a flag with the tag sign:"",
// such as --expr -x^2 or --expr --x, and is no option.
func formulaLike(node *kong.Node, flag *kong.Flag, value string) bool {
	other, _, _, _ := option(node, value)
	return flag.Tag.Has("sign") && other == nil
}

// number checks the value of a flag whose type is a number or a duration, and returns it in
// the form that the parser reads.
func number(t reflect.Type, value string) (string, error) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return value, nil
	}
	switch {
	case t == reflect.TypeFor[time.Duration]():
		if _, err := time.ParseDuration(value); err != nil {
			return value, errors.New("it must be a duration such as 90s or 10m")
		}
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Int64:
		n, err := strconv.ParseInt(value, 10, t.Bits())
		if err != nil {
			return value, wholeNumber(err)
		}
		return strconv.FormatInt(n, 10), nil // the parser would read 010 as octal
	case t.Kind() >= reflect.Uint && t.Kind() <= reflect.Uint64:
		n, err := strconv.ParseUint(value, 10, t.Bits())
		if _, signed := strconv.ParseInt(value, 10, 64); signed == nil && err != nil {
			return value, errors.New("it cannot be negative")
		} else if err != nil {
			return value, wholeNumber(err)
		}
		return strconv.FormatUint(n, 10), nil
	case t.Kind() == reflect.Float64:
		_, err := strconv.ParseFloat(value, 64)
		switch {
		case errors.Is(err, strconv.ErrRange):
			return value, errors.New("it is too large")
		case err != nil || strings.ContainsAny(value, "xX_"):
			return value, errors.New("it must be a decimal number")
		}
	}
	return value, nil
}

// wholeNumber returns the message for an error of strconv about an integer.
func wholeNumber(err error) error {
	if errors.Is(err, strconv.ErrRange) {
		return errors.New("the number is too large")
	}
	return errors.New("it must be a whole number")
}
