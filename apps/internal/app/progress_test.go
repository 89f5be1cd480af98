package app

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// screen is a terminal that tests can read while it is written to.
type screen struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

// shows checks what was written since the last call.
func (s *screen) shows(t *testing.T, want string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if got := s.b.String(); got != want {
		t.Errorf("wrote %q, want %q", got, want)
	}
	s.b.Reset()
}

func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &screen{}
		p := &Progress{env: &Env{Stderr: s}, next: time.Now().Add(quiet)}
		p.Printf("%d", 1)
		time.Sleep(quiet - time.Nanosecond)
		s.shows(t, "")
		p.Printf("%d", 2)
		time.Sleep(2 * time.Nanosecond)
		s.shows(t, erase+"2") // late, and in place of 1
		p.Printf("%d", 3)
		p.env.Notef("note %d", 1)
		s.shows(t, erase+"skelgo: note 1\n"+erase+"2")
		file := p.Reading(strings.NewReader("0123456789"), 10)
		time.Sleep(time.Second)
		s.shows(t, erase+"3")
		if n, err := file.ReadAt(make([]byte, 3), 2); n != 3 || err != nil {
			t.Error(n, err)
		}
		s.shows(t, erase+"3, 50% read")
		time.Sleep(time.Second)
		p.Printf("%d", 4)
		s.shows(t, erase+"4")
		p.Done()
		time.Sleep(time.Second)
		s.shows(t, erase)
		if n, err := file.ReadAt(make([]byte, 8), 5); n != 5 || err != io.EOF {
			t.Error(n, err)
		}
		s.shows(t, "")         // it is done
		p = NewProgress(p.env) // which is no terminal
		p.Printf("quiet")
		time.Sleep(time.Second)
		p.Done()
		s.shows(t, "")
	})
}

func TestWatchBuilds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &screen{}
		env := &Env{Stderr: s}
		p := &Progress{env: env, next: time.Now()}
		w := &buildWatch{env: env}
		build := func(d time.Duration) { w.begin("GPU"); time.Sleep(d); w.end() }
		p.Printf("step 1")
		time.Sleep(time.Nanosecond)
		s.shows(t, erase+"step 1")
		build(quiet / 2) // short
		time.Sleep(time.Second)
		s.shows(t, "")
		for range 6 { // short ones in a row
			build(quiet / 5)
			time.Sleep(pause / 2)
		}
		s.shows(t, erase+"compiling kernels for GPU ...")
		time.Sleep(pause)
		s.shows(t, erase+"step 1")
		w.begin("GPU") // side by side
		w.begin("GPU")
		time.Sleep(time.Second)
		w.end()
		time.Sleep(time.Second)
		s.shows(t, erase+"compiling kernels for GPU ...")
		w.end()
		time.Sleep(time.Second)
		s.shows(t, erase+"step 1")
		env.line.close(env, "bye\n")
		p.Printf("step 2")
		env.Notef("late")
		time.Sleep(time.Second)
		s.shows(t, erase+"bye\n")
	})
}
