package data

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/skelgo/skelgo/apps/internal/data/input"
)

// DecodeModel reads a model that a command has written as JSON. Errors say that it is none of the
// command's, or which parts do not fit together according to check.
func DecodeModel[M any](r io.Reader, command string, check func(*M) error) (*M, error) {
	m := new(M)
	if err := decodeStrict(r, m); err != nil {
		return nil, fmt.Errorf("it is no model of %s: %w", command, err)
	}
	if err := check(m); err != nil {
		return nil, fmt.Errorf("it is no model of %s, or damaged: %w", command, err)
	}
	return m, nil
}

// decodeStrict reads the one JSON value of r into v. A null where v has a number, a string or a struct
// is an error, because package json would leave 0 there, and so is text after the value.
func decodeStrict(r io.Reader, v any) error {
	in := json.NewDecoder(r)
	var raw json.RawMessage
	if err := in.Decode(&raw); errors.Is(err, io.EOF) {
		return errors.New("it is empty")
	} else if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return err
	}
	if _, err := in.Token(); err != io.EOF {
		return errors.New("more text follows its end")
	}
	var tree any
	if err := json.Unmarshal(raw, &tree); err != nil {
		return err
	}
	if at := findNull(tree, reflect.TypeOf(v).Elem()); at != nil {
		return fmt.Errorf("%s is null, not a value", strings.TrimPrefix(strings.Join(at, ""), "."))
	}
	return nil
}

// findNull returns the path of a null in a decoded JSON value that would be lost in a value of type t,
// such as [".means" "[1]" "[0]"], or nil if there is none.
func findNull(tree any, t reflect.Type) []string {
	for t.Kind() == reflect.Pointer {
		if tree == nil {
			return nil
		}
		t = t.Elem()
	}
	switch tree := tree.(type) {
	case nil:
		if k := t.Kind(); k != reflect.Slice && k != reflect.Map && k != reflect.Interface {
			return []string{""}
		}
	case []any:
		if k := t.Kind(); k != reflect.Slice && k != reflect.Array {
			return nil
		}
		for i, element := range tree {
			if at := findNull(element, t.Elem()); at != nil {
				return append([]string{fmt.Sprintf("[%d]", i)}, at...)
			}
		}
	case map[string]any:
		for name, element := range tree {
			field, is := fieldType(t, name)
			if !is {
				continue
			}
			if at := findNull(element, field); at != nil {
				return append([]string{"." + name}, at...)
			}
		}
	}
	return nil
}

// fieldType returns the type of what package json decodes into v.name for a v of type t.
func fieldType(t reflect.Type, name string) (field reflect.Type, is bool) {
	if t.Kind() == reflect.Map {
		return t.Elem(), true
	}
	if t.Kind() != reflect.Struct {
		return nil, false
	}
	for _, f := range reflect.VisibleFields(t) {
		tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if tag == "" {
			tag = f.Name
		}
		if f.IsExported() && strings.EqualFold(tag, name) {
			return f.Type, true
		}
	}
	return nil, false
}

// ReadModel loads the model in the file called name, or in stdin if name is "-".
func ReadModel[M any](
	ctx context.Context, name string, stdin io.Reader, load func(io.Reader) (*M, error),
) (*M, error) {
	f, err := input.Open(ctx, name, stdin, 1<<16)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := load(f)
	if err != nil {
		return nil, f.Errorf("%w", err)
	}
	return m, nil
}
