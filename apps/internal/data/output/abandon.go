package output

import (
	"errors"
	"os"
	"sync"
)

// The program may end while commands are still running. From then on nothing
// is created or renamed.
var (
	gate       sync.Mutex
	closed     bool
	unfinished = map[string]bool{} // temporary files and new directories
	trees      []string            // of Temporary
)

var errAbandoned = errors.New("the program is ending")

// Abandon removes the temporary files and empty directories of all Sets that
// have not been committed, and makes later calls fail. It is for a program
// that ends without waiting for its commands. A Commit that has begun is
// completed first.
func Abandon() {
	gate.Lock()
	defer gate.Unlock()
	closed = true
	for removed := true; removed; { // directories may be empty only the next time
		removed = false
		for name := range unfinished {
			removed = os.Remove(name) == nil || removed
		}
	}
	for _, name := range trees {
		_ = os.RemoveAll(name) // nothing more can be done about it
	}
}

// Temporary makes Abandon remove a file, or a directory with all that is in it.
// Its owner removes it otherwise.
func Temporary(name string) {
	gate.Lock()
	defer gate.Unlock()
	if closed {
		_ = os.RemoveAll(name)
	}
	trees = append(trees, name)
}

// guarded runs f unless the program is ending. If f succeeds, the names are
// removed by Abandon.
func guarded(f func() error, names ...string) error {
	gate.Lock()
	defer gate.Unlock()
	if closed {
		return errAbandoned
	}
	err := f()
	for _, name := range names {
		if err == nil {
			unfinished[name] = true
		}
	}
	return err
}

// release makes Abandon leave names alone.
func release(names []string) {
	gate.Lock()
	defer gate.Unlock()
	for _, name := range names {
		delete(unfinished, name)
	}
}
