package baseline

import (
	"cmp"
	"fmt"
	"iter"
	"time"

	"github.com/skelgo/skelgo/devices"
)

// Comparison describes the versions of an application that skelgo compare measures.
type Comparison struct {
	Name     string                  // of the rows; by default that of the application
	N        int                     // the default size
	Size     func(n int) string      // describes a size
	Bytes    func(n float64) float64 // of the data, on the host and on the device
	Versions []Version               // skelgo's versions come first

	// Programs returns one program for each version, in their order. Agree
	// compares the result of the last program that ran with that of the first.
	Programs func(d *devices.Device, n int) (programs []Program, agree func() error)

	// KernelNote explains the table of kernels, if there is one.
	KernelNote string

	// More holds comparisons of what else the application computes. Each has a name.
	More []*Comparison
}

// All returns the comparison, unless it is nil, and those in More, with the names of their rows.
func (c *Comparison) All(app string) iter.Seq2[string, *Comparison] {
	return func(yield func(string, *Comparison) bool) {
		if c == nil || !yield(cmp.Or(c.Name, app), c) {
			return
		}
		for _, m := range c.More {
			if !yield(m.Name, m) {
				return
			}
		}
	}
}

// Version is a version of an application with the files whose lines of code are
// counted: all that the algorithm and its data movement need, and nothing else. File
// names are relative to the folder of the application.
type Version struct {
	Name      string // "skelgo", or "raw" and a suffix
	Host      []string
	Kernel    []string
	Generated []string
}

// Program runs a version in steps that are timed. Steps that a version does not have
// are nil.
type Program struct {
	Version, Device string

	Open     func() error
	Build    func() error
	Upload   func() error
	Run      func() error // may be called repeatedly
	Download func() error
	Close    func() error

	HostTime     func() time.Duration     // how long the last run computed on the host
	TransferTime func() time.Duration     // how long the last run transferred data
	Kernels      func() ([]Kernel, error) // measures the kernels one by one, after all runs
}

// Kernel is the time of one kernel of a program.
type Kernel struct {
	Name      string
	Launches  int
	Bytes     float64       // that all launches must read and write
	Time      time.Duration // of all launches
	Published string        // what the publication says of one launch, if anything
}

// Results compares the results of programs with that of the first program.
type Results[T comparable] struct {
	Last  []T // the result of the program that ran last
	first []T
}

// Agree returns an error if Last differs from the first program's result.
func (r *Results[T]) Agree() error {
	if r.first == nil {
		r.first = r.Last
	}
	for i, want := range r.first {
		if r.Last[i] != want {
			return fmt.Errorf("element %d is %v, and skelgo's is %v", i, r.Last[i], want)
		}
	}
	return nil
}
