package data

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/skelgo/skelgo/apps/internal/data/input"
)

// DecodeModel reads a model that a command has written as JSON. Errors say that it is none of the
// command's, or which parts do not fit together according to check.
func DecodeModel[M any](r io.Reader, command string, check func(*M) error) (*M, error) {
	m := new(M)
	if err := json.NewDecoder(r).Decode(m); err != nil {
		if errors.Is(err, io.EOF) {
			err = errors.New("it is empty")
		}
		return nil, fmt.Errorf("it is no model of %s: %w", command, err)
	}
	if err := check(m); err != nil {
		return nil, fmt.Errorf("it is no model of %s, or damaged: %w", command, err)
	}
	return m, nil
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
