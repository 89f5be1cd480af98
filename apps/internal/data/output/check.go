package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Named is a file that a command line names.
type Named struct {
	Option string // the option, such as "--labels" or "-o"; "" for an argument
	Name   string // "" if the option is not used; "-" is standard input or output
}

func (n Named) String() string {
	if n.Option == "" {
		return n.Name
	}
	return n.Option + " " + n.Name
}

// Check returns an error if an output is also an input or another output, under any name,
// or if it cannot be written. Commands call it before they compute anything.
func Check(inputs, outputs []Named) error {
	if nowhere {
		return nil
	}
	ins, outs := named(inputs, os.Stdin), named(outputs, os.Stdout)
	for i, out := range outs {
		for _, in := range ins {
			if in.info != nil && out.same(in) && out.regular() {
				return overwrites(out, in)
			}
		}
		for _, other := range outs[:i] {
			if out.same(other) && out.regular() {
				return fmt.Errorf("%s and %s are the same file; it can hold one result", other.Named, out.Named)
			}
		}
	}
	if info, err := os.Stdout.Stat(); err == nil && info.Mode().IsRegular() {
		for _, in := range ins {
			if in.info != nil && os.SameFile(in.info, info) {
				return fmt.Errorf("%s is an input, and standard output goes to the same file", in.describe())
			}
		}
	}
	for _, out := range outs {
		if err := out.writable(); err != nil {
			return explain(out.Name, err)
		}
	}
	return nil
}

// file is a named file with the results of os.Stat and follow.
type file struct {
	Named
	std  bool        // standard input or output
	info fs.FileInfo // nil if it does not exist
	path string      // with links followed; "" if it cannot be found
}

// named returns the files of the options that are used.
func named(list []Named, std *os.File) (files []file) {
	for _, n := range list {
		if n.Name == "" {
			continue
		}
		f := file{Named: n, std: n.Name == Stdout}
		var err error
		if f.std {
			f.info, err = std.Stat()
		} else if f.info, err = os.Stat(n.Name); err != nil {
			f.path, _ = follow(n.Name) // writable reports the error
		}
		if err != nil {
			f.info = nil
		}
		files = append(files, f)
	}
	return files
}

func (f file) same(other file) bool {
	if f.info != nil && other.info != nil {
		return os.SameFile(f.info, other.info)
	}
	return f.info == nil && other.info == nil && f.path != "" && f.path == other.path
}

// regular reports whether the file is, or will be, a regular file whose content is
// replaced. (Two results may go to standard output or to one pipe.)
func (f file) regular() bool {
	return f.info == nil && !f.std || f.info != nil && f.info.Mode().IsRegular() && !isStdout(f.info)
}

func (f file) describe() string {
	if f.std {
		return "standard input"
	}
	return f.Named.String()
}

func overwrites(out, in file) error {
	what := "the input of " + in.Named.String()
	switch {
	case in.std:
		what = "the file that standard input comes from"
	case in.Option == "":
		what = "the input " + in.Name
	}
	return fmt.Errorf("%s would overwrite %s; choose another name", out.Named, what)
}

// writable returns an error if the file cannot be created or replaced.
func (f file) writable() error {
	switch {
	case f.std:
		return nil
	case f.info != nil && f.info.IsDir():
		return errFolder
	case f.info != nil && !f.regular():
		return nil // opening a pipe would wait for its reader
	case f.info != nil: // renaming would replace even a file that is write-protected
		w, err := os.OpenFile(f.Name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
	}
	target, err := follow(f.Name)
	if err != nil {
		return err
	}
	if info, err := os.Stat(filepath.Dir(target)); err != nil {
		return err
	} else if !info.IsDir() {
		return fmt.Errorf("%s is not a directory", filepath.Dir(f.Name))
	}
	probe, err := create(target, newMode)
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("no permission to create files in %s", filepath.Dir(target))
	}
	if err != nil {
		return err
	}
	defer release([]string{probe.Name()})
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}
