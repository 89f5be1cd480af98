package bench

import (
	"strings"
	"time"
)

// Row is a line of the table: something that is measured, and what is asked
// of it.
type Row struct {
	Name   string        // "Reduce/op=sum/type=float32/n=1048576"
	Bytes  int64         // read and written by a call, at least; 0 where bandwidth says nothing
	Ops    float64       // arithmetic operations of a call
	Memory int64         // bytes that it takes on the device
	Floor  time.Duration // predicted in another way than by Bytes
	Most   time.Duration // the goal: a call takes no longer; 0 is none
	Allocs int           // the goal: a call makes no more garbage; 0 is none
	Goals  []Goal        // how fast it has to be, in the speed of each yardstick

	outside []outside // yardsticks of other programs
	open    func(*session) (*bout, error)
}

// Goal is the least speed, in that of a yardstick.
type Goal struct {
	Yardstick string // "copy", "cub", ...
	Ratio     float64
}

// outside is a case of the yardstick program.
type outside struct {
	name string // of the yardstick: "cub"
	ask  string // what the program is asked: "reduce-sum float32 1048576"
}

// bout is a row that is ready to be measured.
type bout struct {
	call   func() error                  // enqueues one call
	sample func() (time.Duration, error) // the time of a call, where many in a row would not tell it; nil otherwise
	parts  int                           // how many calls one call of call is; 0 is one
	check  func() error                  // is the result right? runs first
	allocs func() (float64, error)       // of a call; nil when nobody asks
	rivals []rival                       // yardsticks in this process
	note   func() string                 // what else was seen; may be nil
	free   []interface{ Free() }         // containers
	close  []func() error                // the rest
}

// rival is a yardstick.
type rival struct {
	name   string
	sample func() (time.Duration, error)
}

// end gives back all that the bout holds.
func (b *bout) end() (err error) {
	for _, f := range b.free {
		f.Free()
	}
	for _, f := range b.close {
		if e := f(); err == nil {
			err = e
		}
	}
	return err
}

// goal is what is asked of the row in comparison with a yardstick; 0 is
// nothing.
func (r *Row) goal(yardstick string) float64 {
	for _, g := range r.Goals {
		if g.Yardstick == yardstick {
			return g.Ratio
		}
	}
	return 0
}

// benchmark is the row's name on a device as Go's benchmarks are called.
func (r *Row) benchmark(device, impl string) string {
	first, rest, more := strings.Cut(r.Name, "/")
	name := "Benchmark" + first + "/device=" + device
	if more {
		name += "/" + rest
	}
	return name + "/impl=" + impl
}
