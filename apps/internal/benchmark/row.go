package benchmark

import (
	"strings"
	"time"
)

// Row is one thing to measure and the goals for its speed.
type Row struct {
	Name      string        // "Reduce/op=sum/type=float32/n=1048576"
	Bytes     int64         // that a call must read and write; 0 if bandwidth says nothing
	Ops       float64       // arithmetic operations per call
	Memory    int64         // bytes that it needs on the device
	Floor     time.Duration // the predicted minimum time of a call, if not by Bytes
	MaxTime   time.Duration // the goal for the time of a call; 0 if there is none
	MaxAllocs int           // the goal for the allocations of a call; 0 if there is none
	Goals     []Goal        // the least speed relative to each yardstick

	// Requests are yardsticks that the yardstick program measures.
	Requests []Request
	// Open prepares the row on the suite's device.
	Open func(*Suite) (*Case, error)
}

// Goal is the least speed relative to a yardstick.
type Goal struct {
	Yardstick string // "copy", "cub", ...
	Ratio     float64
}

// Request is a case of the yardstick program.
type Request struct {
	Yardstick string // "cub"
	Text      string // "reduce-sum float32 1048576"
}

// Case is a row that is ready to be measured.
type Case struct {
	Call       func() error                  // enqueues one call
	Sample     func() (time.Duration, error) // measures a call; nil means Sampler(Call)
	Parts      int                           // how many calls Call makes; 0 means 1
	Check      func() error                  // checks the result; it runs first
	Allocs     func() (float64, error)       // counts the allocations of a call; nil if there is no goal
	Yardsticks []Yardstick                   // those that run in this process
	Note       func() string                 // what else was observed; may be nil
	Free       []Container                   // the containers of the case
	Close      []func() error                // release everything else
}

// Container is a vector or a matrix.
type Container interface{ Free() }

// Containers returns its arguments as a list.
func Containers(containers ...Container) []Container { return containers }

// Yardstick is something that a row is compared with.
type Yardstick struct {
	Name   string
	Sample func() (time.Duration, error)
}

// End releases everything that the case holds.
func (c *Case) End() (err error) {
	for _, f := range c.Free {
		f.Free()
	}
	for _, f := range c.Close {
		if e := f(); err == nil {
			err = e
		}
	}
	return err
}

// goal returns the row's goal relative to a yardstick, or 0.
func (r *Row) goal(yardstick string) float64 {
	for _, g := range r.Goals {
		if g.Yardstick == yardstick {
			return g.Ratio
		}
	}
	return 0
}

// Benchmark returns the row's name in the style of Go's benchmarks.
func (r *Row) Benchmark(device, impl string) string {
	first, rest, more := strings.Cut(r.Name, "/")
	name := "Benchmark" + first + "/device=" + device
	if more {
		name += "/" + rest
	}
	return name + "/impl=" + impl
}
