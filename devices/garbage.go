package devices

import (
	"runtime"
	"runtime/metrics"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Go's garbage collector runs when the Go heap has grown. It does not see that
// a container of a few hundred bytes holds gigabytes on a device, so a program
// that drops its results would fill the device before the collector runs once.
// The pool therefore requests collections itself: when it has no buffer to
// reuse and the bytes in use on the device have doubled since the last
// collection, or have grown by a twelfth of the device's memory. An allocation
// that the pool can serve costs nothing extra.
//
// A collection runs in its own goroutine, concurrently with the program, and
// serves all devices. An allocation waits for it only if the bytes in use have
// grown by the same amount again. Containers dropped during a collection are
// left to the next one, so garbage takes about a quarter of the memory: a
// twelfth before the collection, one during it, and one before the next. On a
// busy machine garbage has been seen to take two fifths.
//
// If collections take long because the Go heap is large, or results are
// computed quickly, the device waits for more growth before it requests the
// next collection.

const (
	minGarbage      = 128 << 20   // minimum growth in bytes before a device requests a collection
	garbageFraction = 12          // growth by this fraction of the memory always requests one
	maxPatience     = 16          // the maximum number of doublings of minGarbage
	pageGarbage     = 8 << 20     // minGarbage for pages
	finalizersTime  = time.Second // how long to wait for finalizers
)

// garbage holds the limits at which a device requests a collection.
type garbage struct {
	ask  atomic.Int64 // bytes in use above which the device requests a collection
	wait atomic.Int64 // bytes in use above which an allocation waits for the collection

	page     bool // the device is a page, of which there are many
	patience int  // grows while collections take much longer than the time between them
}

// set computes the limits for a device on which live bytes are in use.
func (g *garbage) set(live, memory int64) {
	least := int64(minGarbage)
	if g.page {
		least = pageGarbage
	}
	step := max(live, least<<g.patience)
	if memory > 0 {
		step = min(step, memory/garbageFraction)
	}
	g.ask.Store(live + step)
	g.wait.Store(live + 2*step)
}

// collections runs one collection at a time for all devices.
var collections struct {
	mu      sync.Mutex
	running chan struct{} // closed when the running collection ends; nil if none is running
	ended   time.Time     // when the last one ended

	waiting atomic.Int64 // number of allocations waiting for the collection
}

// makeRoom is called before n more bytes are taken from the driver. It requests
// a collection if the device's use has grown enough, and reports whether it
// waited for one, which may have filled the pool.
func (p *pool) makeRoom(n int64) (waited bool) {
	live := p.dev.stats.liveBytes.Load()
	if live == 0 || live+n <= p.garbage.ask.Load() {
		return false
	}
	live += n
	ended := startCollection()
	if live <= p.garbage.wait.Load() {
		return false
	}
	collections.waiting.Add(1)
	defer collections.waiting.Add(-1)
	<-ended
	return true
}

// startCollection starts a collection unless one is running. It returns a
// channel that is closed when the collection has ended.
func startCollection() (ended <-chan struct{}) {
	c := &collections
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running == nil {
		c.running = make(chan struct{})
		go runCollection()
	}
	return c.running
}

func runCollection() {
	c := &collections
	devs, _ := opened.all()
	asked := make([]bool, len(devs))
	for i, d := range devs {
		asked[i] = d.stats.liveBytes.Load() > d.pool.garbage.ask.Load()
		d.stats.forgetLow()
	}
	start := time.Now()
	collect()
	// While an allocation waits, also collect the containers that were dropped
	// during the collection, and the parts of spread containers, whose
	// finalizers run only after a second collection.
	if c.waiting.Load() > 0 && slices.ContainsFunc(devs, func(d *Device) bool {
		return d.stats.liveBytes.Load() > d.pool.garbage.ask.Load()
	}) {
		collect()
	}
	took := time.Since(start)

	c.mu.Lock()
	defer c.mu.Unlock()
	pause := start.Sub(c.ended) // before the first collection, ended is zero and the pause is long
	for i, d := range devs {
		g := &d.pool.garbage
		switch {
		case asked[i] && took/2 > pause:
			g.patience = min(g.patience+1, maxPatience)
		case asked[i] && took < pause/2:
			g.patience = max(g.patience-1, 0)
		}
		// Not the bytes that are live now: the program may have taken from the pool what the
		// collection returned, and dropped it again. With each such collection, garbage could grow.
		g.set(d.stats.lowBytes.Load(), d.garbageMemory())
	}
	c.ended = time.Now()
	close(c.running)
	c.running = nil
}

// collect runs Go's garbage collector and waits for the finalizers of the
// objects that it found. Finalizers of containers return their memory to the
// pools.
func collect() {
	runtime.GC()
	counts := []metrics.Sample{{Name: "/gc/finalizers/queued:finalizers"}, {Name: "/gc/finalizers/executed:finalizers"}}
	metrics.Read(counts)
	queued := counts[0].Value.Uint64()
	deadline := time.Now().Add(finalizersTime) // one of the program's finalizers may hang
	pause := 10 * time.Microsecond
	for counts[1].Value.Uint64() < queued && time.Now().Before(deadline) {
		time.Sleep(pause)
		pause = min(2*pause, time.Millisecond)
		metrics.Read(counts)
	}
}
