package cuda

import (
	"time"

	"github.com/skelgo/skelgo/devices/driver"
)

// SetStaging changes how long transfers are done: by how many goroutines, and
// from how many bytes on memory of Go is registered instead (0: never).
func SetStaging(d driver.Device, workers, register int) {
	s := &d.(*Device).staging
	s.workers, s.register = workers, register
}

// ShortTransfer is the longest transfer that is part of the queue.
const ShortTransfer = shortTransfer

// SetPatience says after how long a wait the next is that for long work.
func SetPatience(d driver.Device, long time.Duration) { d.(*Device).patience = long }
