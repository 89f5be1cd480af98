package atomicfile

import (
	"errors"
	"fmt"
	"io"
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
	if err := Check("", filepath.Join(dir, "new"), "", "/dev/null", "/dev/null"); err != nil {
		t.Error(err)
	}
	if err := Check(filepath.Join(dir, "new"), "", dir+"/./new"); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("one name for two files: %v", err)
	}
	if Check("-") == nil {
		t.Error("- was accepted")
	}
	for _, bad := range []string{dir, filepath.Join(dir, "missing", "out")} {
		if Check(bad) == nil {
			t.Errorf("Check(%s) found nothing", bad)
		}
		if Write(bad, text("x")) == nil {
			t.Errorf("Write(%s) succeeded", bad)
		}
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
	dir := t.TempDir()
	err := Write(filepath.Join(dir, "file"), func(w io.Writer) error {
		if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
			t.Errorf("while writing: %v %v", files, err)
		}
		Abandon()
		_, err := io.WriteString(w, "text")
		return err
	})
	if err == nil {
		t.Error("what was abandoned got its name")
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 0 {
		t.Errorf("left: %v %v", files, err)
	}
}
