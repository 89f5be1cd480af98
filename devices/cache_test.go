package devices_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
)

// launchFresh launches on a device that has built nothing and returns the
// numbers of builds and cache hits.
func launchFresh(t testing.TB, l devices.Launch) (builds, hits int64) {
	t.Helper()
	d, _ := fake(t, drivertest.Options{Cached: true})
	ok(t, d.Launch(l))
	s := d.Stats()
	return s.Builds, s.CacheHits
}

func wantBuild(t *testing.T, what string, l devices.Launch) {
	t.Helper()
	if b, h := launchFresh(t, l); b != 1 || h != 0 {
		t.Errorf("%s: %d builds, %d hits, want a build", what, b, h)
	}
}

func wantHit(t *testing.T, what string, l devices.Launch) {
	t.Helper()
	if b, h := launchFresh(t, l); b != 0 || h != 1 {
		t.Errorf("%s: %d builds, %d hits, want a hit", what, b, h)
	}
}

// cacheDir sets SKEL_CACHE and returns the directory that will hold the kernels.
func cacheDir(t *testing.T) string {
	parent := filepath.Join(t.TempDir(), "deep", "cache")
	t.Setenv("SKEL_CACHE", parent)
	return filepath.Join(parent, "skelgo")
}

func cached(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	ok(t, err)
	return files
}

func TestCacheHitAndMiss(t *testing.T) {
	dir := cacheDir(t)
	l := program("a")
	wantBuild(t, "the first time", l)
	wantHit(t, "the second time", l)
	l.Key = "another key"
	wantHit(t, "the same text by another key", l)
	l.C = func() string { return "another text" }
	wantBuild(t, "another text", l)
	l.Name = "b"
	wantBuild(t, "another entry point", l)
	if n := len(cached(t, dir)); n != 3 {
		t.Errorf("%d files", n)
	}
	t.Setenv("SKEL_CHECK", "1")
	wantBuild(t, "checked mode", l)
	wantHit(t, "checked mode again", l)
}

func TestCacheOff(t *testing.T) {
	cacheDir(t)
	t.Setenv("SKEL_CACHE", "off")
	wantBuild(t, "off", program("a"))
	wantBuild(t, "off", program("a"))

	d, _ := fake(t, drivertest.Options{}) // its kernels cannot be cached
	dir := cacheDir(t)
	ok(t, d.Launch(program("a")))
	if n := len(cached(t, dir)); n != 0 {
		t.Errorf("%d files of kernels that cannot be cached", n)
	}
}

func TestCacheInTheUsersDirectory(t *testing.T) {
	home := t.TempDir()
	t.Setenv("SKEL_CACHE", "")
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(home, "xdg"))
	wantBuild(t, "the first time", program("a"))
	wantHit(t, "the second time", program("a"))
	dir, err := os.UserCacheDir()
	ok(t, err)
	if n := len(cached(t, filepath.Join(dir, "skelgo"))); n != 1 {
		t.Errorf("%d files in %s/skelgo", n, dir)
	}
	t.Setenv("HOME", "")
	t.Setenv("XDG_CACHE_HOME", "") // now the user has no cache directory
	wantBuild(t, "nowhere", program("a"))
}

func TestCacheThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	ok(t, os.WriteFile(file, nil, 0o600))
	for _, dir := range []string{file, filepath.Join(file, "below"), "/dev/null", "/proc/nothing"} {
		t.Setenv("SKEL_CACHE", dir)
		wantBuild(t, dir, program("a"))
		wantBuild(t, dir, program("a"))
	}
}

func TestCacheCorruption(t *testing.T) {
	dir := cacheDir(t)
	l := program("a")
	wantBuild(t, "the first time", l)
	whole, err := os.ReadFile(cached(t, dir)[0])
	ok(t, err)
	flipped := []byte(string(whole))
	flipped[len(flipped)-3] ^= 1
	for name, data := range map[string][]byte{
		"empty":      {},
		"short":      whole[:10],
		"no kernel":  whole[:16+32],
		"truncated":  whole[:len(whole)-1],
		"longer":     append([]byte(string(whole)), 0),
		"one bit":    flipped,
		"other file": []byte(strings.Repeat("x", 1000)),
	} {
		file := cached(t, dir)[0]
		ok(t, os.WriteFile(file, data, 0o600))
		wantBuild(t, name, l)
		wantHit(t, name+", mended", l)
	}
	// A valid file that the driver rejects.
	refuse := true
	d, f := fake(t, drivertest.Options{Cached: true, OnBuild: func(p driver.Program) error {
		if p.Binary != nil && refuse {
			return fmt.Errorf("made by another version")
		}
		return nil
	}})
	ok(t, d.Launch(l))
	if s := d.Stats(); s.Builds != 1 || s.CacheHits != 0 || f.Count(drivertest.Build) != 2 {
		t.Errorf("%+v, %d builds by the driver", s, f.Count(drivertest.Build))
	}
	// A directory where the file should be.
	file := cached(t, dir)[0]
	ok(t, os.Remove(file))
	ok(t, os.MkdirAll(filepath.Join(file, "x"), 0o700))
	wantBuild(t, "a directory", l)
}

func TestCacheEviction(t *testing.T) {
	dir := cacheDir(t)
	defer devices.SetCacheLimit(1000)() // about ten kernels
	old := time.Now().Add(-2 * time.Hour)
	ok(t, os.MkdirAll(dir, 0o700))
	hash := strings.Repeat("0123456789abcdef", 4)
	for name, data := range map[string]string{
		hash + ".123.tmp": "skelgo kernel 1\n" + strings.Repeat("x", 5000),
		hash + ".45.tmp":  "skel", // the program died while it wrote
		hash + ".6.tmp":   "",
		"notes.txt":       "mine",
	} {
		ok(t, os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600))
		ok(t, os.Chtimes(filepath.Join(dir, name), old, old))
	}
	for i := range 30 {
		wantBuild(t, "new", program(fmt.Sprint("p", i)))
		for _, f := range cached(t, dir) { // an hour goes by
			info, err := os.Stat(f)
			ok(t, err)
			ok(t, os.Chtimes(f, info.ModTime().Add(-time.Minute), info.ModTime().Add(-time.Minute)))
		}
		if i > 0 {
			wantHit(t, "often used", program("p0"))
		}
	}
	var total int64
	for _, f := range cached(t, dir) {
		if strings.HasSuffix(f, ".txt") {
			continue // is not the cache's
		}
		info, err := os.Stat(f)
		ok(t, err)
		total += info.Size()
		if strings.HasSuffix(f, ".tmp") {
			t.Errorf("%s is left", f)
		}
	}
	if total > 1000 || total < 500 {
		t.Errorf("%d bytes are kept, at most 1000 wanted", total)
	}
	wantHit(t, "the youngest", program("p29"))
	wantBuild(t, "the oldest", program("p1"))
	if _, err := os.Stat(filepath.Join(dir, "notes.txt")); err != nil {
		t.Error("a file that is not the cache's was removed")
	}
}

// TestCacheKeepsTheUsersFiles checks that the cache removes only files that it
// wrote, by name and by contents, and leaves the directory of SKEL_CACHE alone.
func TestCacheKeepsTheUsersFiles(t *testing.T) {
	dir := cacheDir(t)
	defer devices.SetCacheLimit(1000)()
	old := time.Now().Add(-100 * time.Hour)
	hash := strings.Repeat("0123456789abcdef", 4)
	var files []string
	for _, d := range []string{filepath.Dir(dir), dir} {
		ok(t, os.MkdirAll(d, 0o700))
		for _, name := range []string{
			"draft.tmp", "linux.kernel", hash + ".kernel", hash + ".1.tmp", "x" + hash + ".kernel", hash + ".kernel.gz",
		} {
			file := filepath.Join(d, name)
			ok(t, os.WriteFile(file, make([]byte, 5000), 0o600))
			ok(t, os.Chtimes(file, old, old))
			files = append(files, file)
		}
	}
	for i := range 30 {
		wantBuild(t, "new", program(fmt.Sprint("p", i)))
	}
	for _, file := range files {
		if info, err := os.Stat(file); err != nil || info.Size() != 5000 {
			t.Errorf("%s was removed or changed: %v", file, err)
		}
	}
	for _, file := range cached(t, filepath.Dir(dir)) {
		if file != dir && !slices.Contains(files, file) {
			t.Errorf("%s was created outside %s", file, dir)
		}
	}
}

// TestCacheOfStrangeFiles checks that entries that are no regular files of a
// reasonable size are not read.
func TestCacheOfStrangeFiles(t *testing.T) {
	dir := cacheDir(t)
	l := program("a")
	wantBuild(t, "the first time", l)
	file := cached(t, dir)[0]
	valid, err := os.ReadFile(file)
	ok(t, err)
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	ok(t, os.WriteFile(elsewhere, valid, 0o600))
	for name, create := range map[string]func() error{
		"a link": func() error { return os.Symlink(elsewhere, file) },
		"1 TiB": func() error {
			if err := os.WriteFile(file, valid, 0o600); err != nil {
				return err
			}
			return os.Truncate(file, 1<<40)
		},
		"a named pipe": func() error { return mkfifo(file) },
	} {
		ok(t, os.Remove(file))
		if err := create(); err != nil {
			t.Logf("%s: %v", name, err) // not on this system
			wantBuild(t, name, l)
			continue
		}
		wantBuild(t, name, l)
		wantHit(t, name+", replaced", l)
	}
	if data, err := os.ReadFile(elsewhere); err != nil || !bytes.Equal(data, valid) {
		t.Error("the target of the link was changed")
	}
}

func init() {
	// The child builds and finds the same kernels repeatedly, with evictions.
	children["cache"] = func() error {
		defer devices.SetCacheLimit(2000)()
		for i := range 300 {
			f := drivertest.NewFake(drivertest.Options{Cached: true})
			d := devices.Wrap("fake:0", f.Device(0))
			if err := d.Launch(program(fmt.Sprint("p", i%40))); err != nil {
				return err
			}
			if err := d.Close(); err != nil {
				return err
			}
		}
		return nil
	}
}

func TestCacheOfTwoProcesses(t *testing.T) {
	dir := cacheDir(t)
	a, b := child("cache"), child("cache")
	ok(t, a.Start())
	out, err := b.CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s", err, out)
	}
	ok(t, a.Wait())
	var whole int
	for i := range 40 {
		_, hits := launchFresh(t, program(fmt.Sprint("p", i)))
		whole += int(hits)
	}
	if whole == 0 {
		t.Error("nothing was kept")
	}
	for _, f := range cached(t, dir) {
		if strings.HasSuffix(f, ".tmp") {
			t.Errorf("%s is left", f)
		}
	}
}
