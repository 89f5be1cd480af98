package output

import (
	"errors"
	"os"
	"sync"
)

// The program may end while commands are still running. After Abandon, no file is created
// or renamed.
var (
	gate       sync.Mutex
	closed     bool
	unfinished = map[string]bool{} // temporary files and new directories
	trees      []string            // the arguments of Temporary
)

var errAbandoned = errors.New("the program is ending")

// Abandon removes the temporary files and empty directories of all Sets that have not
// been committed, and makes later calls fail. A program calls it when it ends without
// waiting for its commands. Abandon waits for a Commit that has begun.
func Abandon() {
	gate.Lock()
	defer gate.Unlock()
	closed = true
	for removed := true; removed; { // a directory can be removed only after its files
		removed = false
		for name := range unfinished {
			removed = os.Remove(name) == nil || removed
		}
	}
	for _, name := range trees {
		_ = os.RemoveAll(name) // nothing more can be done about it
	}
}

// Temporary makes Abandon remove a file, or a directory with everything in it. Otherwise
// the caller removes it.
func Temporary(name string) {
	gate.Lock()
	defer gate.Unlock()
	if closed {
		_ = os.RemoveAll(name)
	}
	trees = append(trees, name)
}

// guarded runs f unless the program is ending. If f succeeds, Abandon will remove the
// names.
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

// release makes Abandon keep the names.
func release(names []string) {
	gate.Lock()
	defer gate.Unlock()
	for _, name := range names {
		delete(unfinished, name)
	}
}
