package output

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
	"syscall"
)

// nowhere says that this process writes no files.
var nowhere bool

// Nowhere makes this process write no files, and nothing to standard output: of several
// processes that compute the same results, one writes them.
func Nowhere() { nowhere = true }

// Stdout is the name that stands for standard output.
const Stdout = "-"

// Write replaces the file called name with what fill writes, or leaves it unchanged if
// there is an error.
func Write(name string, fill func(io.Writer) error) error {
	var s Set
	defer s.Discard()
	if err := s.Write(name, fill); err != nil {
		return err
	}
	return s.Commit()
}

// Set is the set of files that one command writes. The files have temporary names until
// Commit renames all of them. The zero value is an empty set. A Set is not safe for
// concurrent use.
type Set struct {
	files   []pending
	folders []string // the directories that Mkdir made
}

// pending is a file that still has its temporary name.
type pending struct {
	name   string // as the user wrote it
	target string // name with links followed
	temp   string // "" for a file that Commit removes
}

// Write writes what fill writes to a temporary file, which Commit renames to name. It
// follows links. Standard output, and anything else that is not a regular file, such as
// a pipe, cannot be replaced, so Write writes to it directly. If s is nil, Write renames
// at once.
func (s *Set) Write(name string, fill func(io.Writer) error) (err error) {
	if s == nil {
		return Write(name, fill)
	}
	if nowhere {
		return fill(io.Discard) // it may compute what it writes, together with other processes
	}
	defer func() { err = explain(name, err) }()
	if name == Stdout {
		return pour(os.Stdout, fill)
	}
	info, err := os.Stat(name)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case err != nil: // a new file
	case info.IsDir():
		return errFolder
	case isStdout(info): // the program also prints to it
		return pour(os.Stdout, fill)
	case !info.Mode().IsRegular():
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return cmp.Or(pour(f, fill), f.Close())
	}
	target, err := follow(name)
	if err != nil {
		return err
	}
	mode := newMode
	if info != nil {
		mode = info.Mode().Perm()
	}
	f, err := create(target, mode)
	if err != nil {
		return err
	}
	s.files = append(s.files, pending{name, target, f.Name()})
	err = pour(f, fill)
	if err == nil {
		err = f.Sync() // some file systems report a full disk only here
	}
	if err == nil && info != nil {
		err = f.Chmod(mode) // the umask may have removed some permissions
	}
	return cmp.Or(err, f.Close())
}

// Remove makes Commit remove a file, such as one that an earlier run of the command has written and
// this one does not. It is no error if there is none.
func (s *Set) Remove(name string) {
	if nowhere {
		return
	}
	s.files = append(s.files, pending{name: name, target: name})
}

// Mkdir makes a directory and its missing parents. If the set is discarded,
// those that are still empty are removed.
func (s *Set) Mkdir(dir string) error {
	if nowhere {
		return nil
	}
	made, err := mkdir(filepath.Clean(dir))
	s.folders = append(s.folders, made...)
	if err != nil {
		return fmt.Errorf("cannot make the directory %s: %w", dir, plain(err))
	}
	return nil
}

// mkdir returns the directories that it made, the innermost first.
func mkdir(dir string) (made []string, err error) {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil, nil
	} else if err == nil {
		return nil, fmt.Errorf("%s is not a directory", dir)
	}
	if parent := filepath.Dir(dir); parent != dir {
		if made, err = mkdir(parent); err != nil {
			return made, err
		}
	}
	if err := guarded(func() error { return os.Mkdir(dir, 0o777) }, dir); err != nil {
		return made, err
	}
	return append([]string{dir}, made...), nil
}

// Commit renames and removes all files of the set. If one of them cannot be renamed, Commit undoes
// the others: replaced and removed files have their former content, and new ones are removed.
func (s *Set) Commit() error {
	err := guarded(s.rename)
	if err == nil {
		s.forget()
	}
	return err
}

func (s *Set) rename() (err error) {
	var done []func() // undo the renames, in order
	var backups []string
	defer func() {
		for i := len(done) - 1; i >= 0 && err != nil; i-- {
			done[i]()
		}
		for _, b := range backups {
			_ = os.Remove(b) // an undone rename has moved it back
		}
	}()
	for _, f := range s.files {
		backup := ""
		_, missing := os.Lstat(f.target)
		if missing != nil && f.temp == "" {
			continue
		}
		if missing == nil && len(s.files) > 1 {
			if backup, err = keep(f.target); err != nil {
				return explain(f.name, err)
			}
			backups = append(backups, backup)
		}
		if err := f.place(); err != nil {
			return explain(f.name, err)
		}
		done = append(done, func() {
			if backup == "" {
				_ = os.Remove(f.target) // nothing more can be done about it
			} else {
				_ = os.Rename(backup, f.target)
			}
		})
	}
	return nil
}

// place gives the file its name, or removes it.
func (p pending) place() error {
	if p.temp == "" {
		return os.Remove(p.target)
	}
	return os.Rename(p.temp, p.target)
}

// keep links or copies the file called target to a temporary name, which it returns.
func keep(target string) (name string, err error) {
	if info, err := os.Stat(target); err == nil && info.IsDir() {
		return "", errFolder
	}
	for {
		name = temporary(target)
		if err = os.Link(target, name); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err == nil {
		return name, nil
	}
	// The file system has no hard links: copy.
	in, err := os.Open(target)
	if err != nil {
		return "", err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return "", err
	}
	out, err := createNow(target, info.Mode().Perm())
	if err != nil {
		return "", err
	}
	_, err = io.Copy(out, in)
	if err := cmp.Or(err, out.Close()); err != nil {
		_ = os.Remove(out.Name()) // the first error counts
		return "", err
	}
	return out.Name(), nil
}

// Discard removes files that have not been committed. After Commit it does nothing.
func (s *Set) Discard() {
	for _, f := range s.files {
		if f.temp != "" {
			_ = os.Remove(f.temp) // it may be gone
		}
	}
	for _, dir := range s.folders {
		_ = os.Remove(dir) // fails if it is not empty, as it should
	}
	s.forget()
}

func (s *Set) forget() {
	var names []string
	for _, f := range s.files {
		if f.temp != "" {
			names = append(names, f.temp)
		}
	}
	release(append(names, s.folders...))
	s.files, s.folders = nil, nil
}

// pour calls fill with a buffered writer.
func pour(f *os.File, fill func(io.Writer) error) error {
	w := bufio.NewWriterSize(f, 1<<16)
	if err := fill(w); err != nil {
		return err
	}
	return w.Flush()
}

// newMode is the mode of a new file, from which the umask removes permissions.
const newMode fs.FileMode = 0o666

// create creates the temporary file that Commit renames to target. Nobody who cannot read a file of
// the given mode can read it at any time.
func create(target string, mode fs.FileMode) (f *os.File, err error) {
	err = guarded(func() error {
		f, err = createNow(target, mode)
		if err == nil {
			unfinished[f.Name()] = true
		}
		return err
	})
	return f, err
}

// createNow is create without the guard. Unlike os.CreateTemp, it creates a file with the
// given permissions, not one that only its owner can read.
func createNow(target string, mode fs.FileMode) (*os.File, error) {
	for {
		f, err := os.OpenFile(temporary(target), os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

func temporary(target string) string {
	base := filepath.Base(target)
	base = base[:min(len(base), 200)] // a name has at most 255 bytes
	return filepath.Join(filepath.Dir(target), fmt.Sprintf(".%s.%08x.tmp", base, rand.Uint32()))
}

// follow returns the file that name links to, which need not exist.
func follow(name string) (string, error) {
	for range 40 {
		target, err := os.Readlink(name)
		if err != nil { // not a link
			dir, err := filepath.EvalSymlinks(filepath.Dir(name))
			return filepath.Join(dir, filepath.Base(name)), err
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(name), target)
		}
		name = target
	}
	return "", errors.New("too many links")
}

// isStdout reports whether a file is the one that standard output goes to.
func isStdout(info fs.FileInfo) bool {
	out, err := os.Stdout.Stat()
	return err == nil && os.SameFile(info, out)
}

var errFolder = errors.New("it is a directory")

// explain returns an error that says which file could not be written.
func explain(name string, err error) error {
	if err == nil {
		return nil
	}
	if name == Stdout {
		if errors.Is(err, syscall.EPIPE) {
			return err // its path tells it from other broken pipes
		}
		name = "standard output"
	}
	return fmt.Errorf("cannot write %s: %w", name, plain(err))
}

// plain removes the file name, which may be a temporary one, from an error.
func plain(err error) error {
	if e := new(fs.PathError); errors.As(err, &e) {
		return e.Err
	}
	if e := new(os.LinkError); errors.As(err, &e) {
		return e.Err
	}
	return err
}
