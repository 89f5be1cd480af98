package atomicfile

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// Write makes the file called name hold what fill writes, or leaves it as it
// was. A link is followed. What is no regular file, such as a pipe or
// /dev/stdout, is written directly, since it cannot be replaced; so is the
// file that standard output goes to, which has more to come.
func Write(name string, fill func(io.Writer) error) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("cannot write %s: %w", name, plain(err))
		}
	}()
	target, mode := name, fs.FileMode(0)
	if info, err := os.Stat(name); err == nil {
		switch {
		case info.IsDir():
			return errors.New("it is a folder")
		case isStdout(info):
			return pour(os.Stdout, fill)
		case !info.Mode().IsRegular():
			f, err := os.OpenFile(name, os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			return cmp.Or(pour(f, fill), f.Close())
		}
		mode = info.Mode().Perm()
		if target, err = filepath.EvalSymlinks(name); err != nil {
			return err
		}
	}
	f, err := aside(target)
	if err != nil {
		return err
	}
	unfinished.Store(f.Name(), true)
	defer unfinished.Delete(f.Name())
	defer os.Remove(f.Name()) // fails, as it should, once the file has its name
	err = pour(f, fill)
	if err == nil {
		err = f.Sync() // some file systems first tell here that they are full
	}
	if err == nil && mode != 0 {
		err = f.Chmod(mode)
	}
	if err := cmp.Or(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), target)
}

// unfinished are the names of the files that will take others'.
var unfinished sync.Map

// Abandon removes what Writes that have not come to their end have written so
// far. It is for a program that ends without waiting for them.
func Abandon() {
	unfinished.Range(func(name, _ any) bool {
		_ = os.Remove(name.(string)) // it may be gone by now
		return true
	})
}

// Check reports what would make Write fail at once, so that nobody computes
// for an hour to learn that a folder is missing, and names that are given
// twice. Empty names are skipped.
func Check(names ...string) error {
	for i, name := range names {
		switch {
		case name == "":
			continue
		case name == "-":
			return errors.New("cannot write -: it is no name; /dev/stdout is standard output")
		case slices.ContainsFunc(names[:i], func(other string) bool { return other != "" && filepath.Clean(other) == filepath.Clean(name) }) && regular(name):
			return fmt.Errorf("cannot write %s twice: it can hold one result", name)
		}
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			return fmt.Errorf("cannot write %s: it is a folder", name)
		}
		if info, err := os.Stat(filepath.Dir(name)); err != nil {
			return fmt.Errorf("cannot write %s: %w", name, plain(err))
		} else if !info.IsDir() {
			return fmt.Errorf("cannot write %s: %s is not a folder", name, filepath.Dir(name))
		}
	}
	return nil
}

// regular reports whether name is, or will be, a regular file.
func regular(name string) bool {
	info, err := os.Stat(name)
	return err != nil || info.Mode().IsRegular() && !isStdout(info)
}

// isStdout reports whether a file is the one that standard output goes to.
func isStdout(info fs.FileInfo) bool {
	out, err := os.Stdout.Stat()
	return err == nil && os.SameFile(info, out)
}

// pour runs fill through a buffer.
func pour(f *os.File, fill func(io.Writer) error) error {
	w := bufio.NewWriterSize(f, 1<<16)
	if err := fill(w); err != nil {
		return err
	}
	return w.Flush()
}

// aside creates the file that will take target's name. os.CreateTemp would
// hide it from everybody but its owner; this one has the usual rights.
func aside(target string) (*os.File, error) {
	for {
		name := fmt.Sprintf(".%s.%08x.tmp", filepath.Base(target), rand.Uint32())
		f, err := os.OpenFile(filepath.Join(filepath.Dir(target), name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// plain drops the name of the file aside from an error: people know only the
// name that they gave.
func plain(err error) error {
	if e := new(fs.PathError); errors.As(err, &e) {
		return e.Err
	}
	return err
}
