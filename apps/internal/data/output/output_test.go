package output

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

// folder lists what is in dir, as "name=content".
func folder(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e.Name()+"="+string(b))
	}
	return strings.Join(all, " ")
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "out")
	for _, s := range []string{"first", "second"} {
		if err := Write(name, text(s)); err != nil {
			t.Fatal(err)
		}
		if got := folder(t, dir); got != "out="+s {
			t.Errorf("folder holds %q", got)
		}
	}
}

func TestFailureLeavesTheOldFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "out")
	if err := Write(name, text("old")); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := Write(name, func(w io.Writer) error {
		fmt.Fprint(w, strings.Repeat("half ", 100000))
		return broken
	})
	if !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "cannot write "+name+": ") {
		t.Errorf("error %v", err)
	}
	if got := folder(t, dir); got != "out=old" {
		t.Errorf("folder holds %q", got)
	}
}

func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skip("mounting a small disk is not permitted here:", err)
	}
	defer syscall.Unmount(dir, 0)
	name := filepath.Join(dir, "out")
	if err := Write(name, text("old")); err != nil {
		t.Fatal(err)
	}
	err := Write(name, text(strings.Repeat("much", 1<<16)))
	if !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("error %v", err)
	}
	if got := folder(t, dir); got != "out=old" {
		t.Errorf("folder holds %q", got)
	}
}

func TestDeviceFile(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here")
	}
	if err := Write("/dev/full", text("x")); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("error %v", err)
	}
	if err := Write("/dev/null", text("x")); err != nil {
		t.Error(err)
	}
}

func TestLinkAndMode(t *testing.T) {
	dir := t.TempDir()
	name, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	if err := os.WriteFile(name, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", link); err != nil {
		t.Skip(err)
	}
	if err := Write(link, text("new")); err != nil {
		t.Fatal(err)
	}
	if got := folder(t, dir); got != "link=new real=new" {
		t.Errorf("folder holds %q", got)
	}
	if info, _ := os.Stat(name); info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, want 0640", info.Mode())
	}
}

func TestCheck(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, err := range map[string]error{
		"in":      os.WriteFile("in", []byte("input"), 0o666),
		"hard":    os.Link("in", "hard"),
		"soft":    os.Symlink("in", "soft"),
		"dangles": os.Symlink("new", "dangles"),
		"sub":     os.Mkdir("sub", 0o777),
		"fifo":    syscall.Mkfifo("fifo", 0o666),
	} {
		if err != nil {
			t.Skip(name, err)
		}
	}
	in := Named{"", "in"}
	weights := Named{"--weights", "soft"}
	for _, test := range []struct {
		in, out []Named
		want    string
	}{
		{nil, []Named{{"-o", ""}, {"--plot", ""}}, ""},
		{[]Named{in}, []Named{{"-o", "new"}, {"--plot", "other"}}, ""},
		{[]Named{in}, []Named{{"-o", "in"}}, "-o in would overwrite the input in; choose another name"},
		{[]Named{in}, []Named{{"-o", "hard"}}, "-o hard would overwrite the input in; choose another name"},
		{[]Named{in}, []Named{{"-o", "soft"}}, "-o soft would overwrite the input in; choose another name"},
		{[]Named{in}, []Named{{"-o", "sub/../in"}}, "-o sub/../in would overwrite the input in; choose another name"},
		{[]Named{in}, []Named{{"-o", dir + "/in"}},
			"-o " + dir + "/in would overwrite the input in; choose another name"},
		{[]Named{weights}, []Named{{"-o", "in"}},
			"-o in would overwrite the input of --weights soft; choose another name"},
		{nil, []Named{{"-o", "new"}, {"--plot", "./new"}},
			"-o new and --plot ./new are the same file; it can hold one result"},
		{nil, []Named{{"-o", "new"}, {"--plot", "dangles"}},
			"-o new and --plot dangles are the same file; it can hold one result"},
		{nil, []Named{{"-o", "in"}, {"--plot", "hard"}},
			"-o in and --plot hard are the same file; it can hold one result"},
		{nil, []Named{{"-o", "/dev/null"}, {"--plot", "/dev/null"}}, ""},
		{nil, []Named{{"-o", "fifo"}, {"--plot", "fifo"}}, ""}, // must not wait for a reader
		{nil, []Named{{"-o", "-"}, {"--plot", "-"}}, ""},
		{nil, []Named{{"-o", "sub"}}, "cannot write sub: it is a directory"},
		{nil, []Named{{"-o", "none/out"}}, "cannot write none/out: no such file or directory"},
		{nil, []Named{{"-o", "in/out"}}, "cannot write in/out: in is not a directory"},
	} {
		got := ""
		if err := Check(test.in, test.out); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("inputs %v, outputs %v: %q, want %q", test.in, test.out, got, test.want)
		}
	}
	if got := folder(t, "sub"); got != "" {
		t.Errorf("left %s", got)
	}
	if found, err := filepath.Glob(".*"); err != nil || len(found) != 0 {
		t.Errorf("left %v, %v", found, err)
	}
	for _, bad := range []string{"sub", "none/out"} {
		if Write(bad, text("x")) == nil {
			t.Errorf("Write(%s) succeeded", bad)
		}
	}
}

// TestCheckStandardStreams redirects them from and to a file.
func TestCheckStandardStreams(t *testing.T) {
	stdin, stdout := os.Stdin, os.Stdout
	defer func() { os.Stdin, os.Stdout = stdin, stdout }()
	name := filepath.Join(t.TempDir(), "data")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	os.Stdin = f
	err = Check([]Named{{"", "-"}}, []Named{{"--labels", name}})
	want := "--labels " + name + " would overwrite the file that standard input comes from; choose another name"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	os.Stdin, os.Stdout = stdin, f
	err = Check([]Named{{"", name}}, nil)
	if want := name + " is an input, and standard output goes to the same file"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if err := Check(nil, []Named{{"--labels", name}, {"--centers", "/dev/stdout"}}); err != nil {
		t.Error(err)
	}
}

// TestSet: nothing has its name before Commit, and everything after.
func TestSet(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	if err := Write(a, text("old")); err != nil {
		t.Fatal(err)
	}
	var s Set
	for _, name := range []string{a, b} {
		if err := s.Write(name, text("new")); err != nil {
			t.Fatal(err)
		}
	}
	if b, _ := os.ReadFile(a); string(b) != "old" {
		t.Errorf("before Commit, a holds %q", b)
	}
	if err := s.Commit(); err != nil {
		t.Fatal(err)
	}
	s.Discard()
	if got := folder(t, dir); got != "a=new b=new" {
		t.Errorf("after Commit: %q", got)
	}
}

// TestSetFailure: if one output fails, in writing or in renaming, all files
// are as before.
func TestSetFailure(t *testing.T) {
	for _, rename := range []bool{false, true} {
		dir := t.TempDir()
		path := func(name string) string { return filepath.Join(dir, name) }
		if err := Write(path("old"), text("old")); err != nil {
			t.Fatal(err)
		}
		var s Set
		for _, name := range []string{"old", "new"} {
			if err := s.Write(path(name), text("replaced")); err != nil {
				t.Fatal(err)
			}
		}
		err := s.Write(path("third"), func(io.Writer) error {
			if !rename {
				return syscall.ENOSPC
			}
			return nil
		})
		if rename {
			if err := os.Mkdir(path("third"), 0o777); err != nil { // by someone else, meanwhile
				t.Fatal(err)
			}
			err = s.Commit()
		}
		if want := "cannot write " + path("third") + ": "; err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s...", err, want)
		}
		s.Discard()
		os.Remove(path("third"))
		if got := folder(t, dir); got != "old=old" {
			t.Errorf("failing to rename: %v: %q", rename, got)
		}
	}
}

// Remove removes files when the others are renamed, and a failure brings them back.
func TestRemove(t *testing.T) {
	for _, fails := range []bool{false, true} {
		dir := t.TempDir()
		path := func(name string) string { return filepath.Join(dir, name) }
		for _, name := range []string{"stale", "kept"} {
			if err := Write(path(name), text("old")); err != nil {
				t.Fatal(err)
			}
		}
		var s Set
		s.Remove(path("stale"))
		s.Remove(path("missing"))
		if err := s.Write(path("new"), text("new")); err != nil {
			t.Fatal(err)
		}
		if fails {
			if err := os.Mkdir(path("new"), 0o777); err != nil { // by someone else, meanwhile
				t.Fatal(err)
			}
		}
		if b, _ := os.ReadFile(path("stale")); string(b) != "old" {
			t.Errorf("before Commit, stale holds %q", b)
		}
		if err := s.Commit(); (err != nil) != fails {
			t.Fatal(err)
		}
		s.Discard()
		want := "kept=old new=new"
		if fails {
			os.Remove(path("new"))
			want = "kept=old stale=old"
		}
		if got := folder(t, dir); got != want {
			t.Errorf("fails: %t: %q, want %q", fails, got, want)
		}
	}
}

func TestMkdir(t *testing.T) {
	dir := t.TempDir()
	var s Set
	if err := s.Mkdir(filepath.Join(dir, "a", "b")); err != nil {
		t.Fatal(err)
	}
	s.Discard()
	if got := folder(t, dir); got != "" {
		t.Errorf("left %q", got)
	}
	if err := s.Mkdir(filepath.Join(dir, "a")); err != nil {
		t.Fatal(err)
	}
	if err := s.Write(filepath.Join(dir, "a", "file"), text("text")); err != nil {
		t.Fatal(err)
	}
	if err := s.Commit(); err != nil {
		t.Fatal(err)
	}
	s.Discard()
	if got := folder(t, filepath.Join(dir, "a")); got != "file=text" {
		t.Errorf("holds %q", got)
	}
	if err := s.Mkdir(filepath.Join(dir, "a", "file", "c")); err == nil ||
		!strings.Contains(err.Error(), "cannot make the directory") {
		t.Errorf("a directory in a file: %v", err)
	}
}

func TestStandardOutput(t *testing.T) {
	usual := os.Stdout
	defer func() { os.Stdout = usual }()
	name := filepath.Join(t.TempDir(), "out")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	os.Stdout = f
	fmt.Println("before")
	if err := Write(name, text("within\n")); err != nil {
		t.Error(err)
	}
	fmt.Println("after")
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(name); string(b) != "before\nwithin\nafter\n" {
		t.Errorf("standard output holds %q", b)
	}
}

func TestAbandon(t *testing.T) {
	defer func() { closed = false }()
	dir := t.TempDir()
	var s Set
	if err := s.Mkdir(filepath.Join(dir, "deep", "deeper")); err != nil {
		t.Fatal(err)
	}
	if err := s.Write(filepath.Join(dir, "deep", "whole"), text("text")); err != nil {
		t.Fatal(err)
	}
	err := s.Write(filepath.Join(dir, "half"), func(w io.Writer) error {
		if files, err := filepath.Glob(dir + "/.*"); err != nil || len(files) != 1 {
			t.Errorf("while writing: %v %v", files, err)
		}
		Abandon()
		_, err := io.WriteString(w, "text")
		return err
	})
	if err := errors.Join(err, s.Commit()); err == nil {
		t.Error("what was abandoned got its name")
	}
	if err := Write(filepath.Join(dir, "late"), text("text")); !errors.Is(err, errAbandoned) {
		t.Errorf("a later Write: %v", err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 0 {
		t.Errorf("left: %v %v", files, err)
	}
}

// TestModeWhileWriting checks that a file that replaces a private one, and the copy of the old one, can
// be read by nobody else at any time.
func TestModeWhileWriting(t *testing.T) {
	dir := t.TempDir()
	private, open := filepath.Join(dir, "private"), filepath.Join(dir, "open")
	for name, mode := range map[string]fs.FileMode{private: 0o600, open: 0o666} {
		if err := os.WriteFile(name, []byte("old"), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(name, mode); err != nil { // whatever the umask
			t.Fatal(err)
		}
	}
	check := func(io.Writer) error {
		list, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, e := range list {
			info, err := e.Info()
			if err != nil {
				return err
			}
			if strings.Contains(e.Name(), "private") && info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s has mode %v", e.Name(), info.Mode())
			}
		}
		return nil
	}
	var s Set
	defer s.Discard()
	for _, name := range []string{private, open} {
		if err := s.Write(name, check); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Commit(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{private: 0o600, open: 0o666} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}
