package cuda

import (
	"time"

	"github.com/skelgo/skelgo/devices/driver"
)

// SetStaging sets the number of goroutines for long transfers, and the size
// from which Go memory is registered instead (0 means never).
func SetStaging(d driver.Device, workers, register int) {
	s := &d.(*Device).staging
	s.workers, s.register = workers, register
}

// ShortTransfer is the maximum size of a transfer that is part of the queue.
const ShortTransfer = shortTransfer

// SetPatience sets the duration of a wait above which the next wait polls.
func SetPatience(d driver.Device, long time.Duration) { d.(*Device).patience = long }
