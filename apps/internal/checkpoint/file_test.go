package checkpoint

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

type state struct {
	Step   int
	Values []float64
	Best   *state
}

var facts = Facts("the command", "kmeans", "-k", 4, "the data", Digest([]float32{1, 2}, []float32{3}))

func open(t *testing.T, name string, f []Fact) *File {
	t.Helper()
	file, err := Open(name, time.Hour, f)
	if err != nil {
		t.Fatal(err)
	}
	file.Failed = func(err error) { t.Error(err) }
	return file
}

func TestFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "state")
	f := open(t, name, facts)
	if found, err := f.Load(new(state)); found || err != nil || !f.Saved.IsZero() {
		t.Errorf("a new checkpoint has a state: %t %v", found, err)
	}
	want := state{Step: 3, Values: []float64{0.1, math.Inf(1), 5e-324, math.Copysign(0, -1)}, Best: &state{Step: 1}}
	f.Save(&state{Step: 2})
	f.Save(&want)
	f = open(t, name, facts)
	var got state
	if found, err := f.Load(&got); !found || err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v %t %v, want %+v", got, found, err, want)
	}
	if f.Saved.IsZero() {
		t.Error("no time")
	}
	if found, _ := f.Load(&got); found {
		t.Error("the state was found twice")
	}
	if err := f.Remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the file was not removed")
	}
	if err := f.Remove(); err != nil {
		t.Error(err)
	}
}

func TestDue(t *testing.T) {
	f := open(t, filepath.Join(t.TempDir(), "state"), nil)
	if f.Due() {
		t.Error("due at once")
	}
	f.every = 0
	if !f.Due() {
		t.Error("not due")
	}
	f.every = time.Minute
	f.last = time.Now().Add(-time.Hour)
	if !f.Due() {
		t.Error("not due after an hour")
	}
	if f.Save(&state{}); f.Due() {
		t.Error("due after Save")
	}
}

func TestNone(t *testing.T) {
	f, err := Open("", 0, facts)
	if f != nil || err != nil {
		t.Fatal(f, err)
	}
	f.Save(&state{})
	if found, err := f.Load(new(state)); found || err != nil || f.Due() || f.Remove() != nil {
		t.Error("no checkpoint does something")
	}
}

func TestOther(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "state")
	open(t, name, facts).Save(&state{Step: 1})
	saved, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	flipped := bytes.Clone(saved)
	flipped[len(flipped)-3] ^= 1
	for _, c := range []struct {
		name  string
		facts []Fact
		want  string
	}{
		{name, []Fact{facts[0], {"-k", "5"}, facts[2]}, "another run: -k is 4 there, and 5 here; remove it"},
		{name, facts[:2], "the data is 3 values with crc32c "},
		{name, append(facts[:3:3], Fact{"--seed", "1"}), "--seed is nothing there, and 1 here"},
		{write("table", "1,2\n3,4\n"), facts, "is not a checkpoint and is not overwritten; name another file"},
		{write("cut", string(saved[:len(saved)-1])), facts, "is damaged; remove it to begin anew"},
		{write("flipped", string(flipped)), facts, "is damaged"},
		{dir, facts, "is a directory"},
	} {
		if f, err := Open(c.name, 0, c.facts); f != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %v, want %s", c.name, f, err, c.want)
		}
	}
	if f := open(t, write("empty", ""), facts); f == nil {
		t.Error("an empty file is not a checkpoint")
	}
	var other struct{ Step string }
	_, err = open(t, name, facts).Load(&other)
	if err == nil || !strings.Contains(err.Error(), "another version of skelgo") {
		t.Errorf("another type: %v", err)
	}
}

// A state that cannot be saved leaves the last one.
func TestFailed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dir")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	f := open(t, filepath.Join(dir, "state"), nil)
	f.Save(&state{Step: 1})
	var failed error
	f.Failed = func(err error) { failed = err }
	f.Save(&struct{ F func() }{})
	if failed == nil {
		t.Error("a function was saved")
	}
	var got state
	if found, err := open(t, f.name, nil).Load(&got); !found || err != nil || got.Step != 1 {
		t.Errorf("%+v %t %v", got, found, err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	failed = nil
	if f.Save(&got); failed == nil || !strings.Contains(failed.Error(), "cannot write ") {
		t.Errorf("in a directory that is gone: %v", failed)
	}
}

func TestDigest(t *testing.T) {
	if a, b := Digest([]int32{1, 2}, []int32{3}), Digest([]int32{1, 2, 3}); a != b {
		t.Errorf("%s and %s", a, b)
	}
	digest := func(b []byte) string {
		s, err := digestAt(bytes.NewReader(b), int64(len(b)), 1<<20)
		if err != nil {
			t.Error(err)
		}
		return s
	}
	for _, n := range []int{1, 100, sampleBytes, 3*sampleBytes + 5, 1 << 23} {
		a := make([]byte, n)
		before := digest(a)
		for _, i := range []int{0, n - 1} {
			a[i] = 1
			if digest(a) == before {
				t.Errorf("byte %d of %d changes nothing", i, n)
			}
			a[i] = 0
		}
		if digest(a) != before || digest(append(a, 0)) == before {
			t.Errorf("%d bytes: %s", n, before)
		}
	}
}
