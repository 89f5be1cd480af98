package emulator

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"unsafe"

	"github.com/skelgo/skelgo/devices/driver"
)

const (
	// stackBytes is the size of a lane's stack.
	stackBytes = 128 << 10

	// laneBytes is an upper bound of the runtime's other memory for a lane.
	laneBytes = 4096
)

// patience is the maximum duration of a launch in seconds; tests reduce it.
var patience int64 = 60

// control is the launch structure of runtime.cpp.
type control struct {
	groups, lanes, dynamic, resident, seconds int64
	seed                                      uint64
	args                                      uintptr
	arena                                     uintptr
	room, stack                               int64
	message                                   uintptr
	messageSize                               int64
	switches                                  int64
}

// resident returns how many groups of a launch are resident at the same time,
// as on a GPU.
func (k *Kernel) resident(g driver.Grid) int64 {
	const own = 1 << 10 // local memory that CUDA reserves
	most := min(groupsOfUnit, lanesOfUnit/((g.Lanes+warp-1)/warp*warp), localMemory/(k.local+g.Local+own))
	return min(g.Groups, int64(units*max(1, most)))
}

// seed returns the seed of the random numbers. SKEL_EMULATOR_SEED chooses other
// orders of execution.
func seed() (uint64, error) {
	s := os.Getenv("SKEL_EMULATOR_SEED")
	if s == "" {
		return 1, nil
	}
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("SKEL_EMULATOR_SEED=%s: must be a number of at least 0", s)
	}
	return n, nil
}

func (k *Kernel) run(g driver.Grid, args []uintptr) error {
	d := k.dev
	order, err := seed()
	if err != nil {
		return err
	}
	c := &control{
		groups: g.Groups, lanes: int64(g.Lanes), dynamic: int64(g.Local), resident: k.resident(g), seconds: patience,
		seed: order, args: uintptr(unsafe.Pointer(unsafe.SliceData(args))), stack: stackBytes,
	}
	c.room = (int64(g.Lanes)*(stackBytes+laneBytes) + int64(k.local+g.Local) + 8192) &^ 4095
	if need := int(c.room * c.resident); len(d.arena) < need {
		if err := unmap(d.arena); err != nil {
			return err
		}
		if d.arena, err = mapped(need); err != nil {
			return err
		}
	}
	message := make([]byte, 1000)
	c.arena = uintptr(unsafe.Pointer(unsafe.SliceData(d.arena)))
	c.message, c.messageSize = uintptr(unsafe.Pointer(unsafe.SliceData(message))), int64(len(message))
	failed := k.launch.Call(uintptr(unsafe.Pointer(c)))
	runtime.KeepAlive(args)
	runtime.KeepAlive(message)
	if failed == 0 {
		return nil
	}
	n := 0
	for n < len(message) && message[n] != 0 {
		n++
	}
	return errors.New(string(message[:n]))
}
