package codegen

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
)

// File is a generated file. Content is nil if the file is no longer needed.
type File struct {
	Path    string
	Content []byte
}

// Change returns what is wrong with the file on disk: "missing", "stale", "left
// over", or "" if it is up to date.
func (f File) Change() (string, error) {
	old, err := os.ReadFile(f.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if f.Content == nil {
			return "", nil
		}
		return "missing", nil
	case err != nil:
		return "", err
	case f.Content == nil:
		return "left over", nil
	case !bytes.Equal(old, f.Content):
		return "stale", nil
	}
	return "", nil
}

// Write updates the file on disk atomically.
func (f File) Write() error {
	if f.Content == nil {
		return os.Remove(f.Path)
	}
	tmp := f.Path + ".tmp"
	if err := os.WriteFile(tmp, f.Content, 0o644); err != nil {
		return err
	}
	if err := os.Rename(tmp, f.Path); err != nil {
		os.Remove(tmp)
		return err
	}
	return nil
}
