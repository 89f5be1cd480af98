package devices

import (
	"runtime"
	"runtime/metrics"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Go's garbage collector runs when Go's heap has grown. It does not see that a
// container of a few hundred bytes holds gigabytes of a device, so a program that
// drops its results would fill the device before the collector runs once. So the
// pool asks for a collection itself: when it has nothing to reuse and the bytes
// in use on the device have doubled since the last collection, or grown by a
// twelfth of the device's memory. An allocation that the pool can serve costs
// nothing more.
//
// The collection runs in a goroutine of its own and serves all devices; the
// program goes on meanwhile. An allocation waits for it only where the bytes in
// use have grown by as much again. What was dropped while a collection ran is left
// to the next one, so garbage takes about a quarter of the memory: a twelfth before
// the collection, one during it, and one before the next. On a busy machine it was
// seen to take two fifths.
//
// Where collections take long, because Go's heap is large, or the results are
// computed quickly, a device gains more before it asks for one.

const (
	minGarbage      = 128 << 20   // bytes that a device gains before it asks for a collection, at least
	garbageFraction = 12          // a device asks at the latest when it has gained this part of its memory
	maxPatience     = 16          // doublings of minGarbage
	finalizersTime  = time.Second // finalizers that take longer are not waited for
)

// garbage says when a device asks for a collection.
type garbage struct {
	ask  atomic.Int64 // bytes in use above which it asks for one
	wait atomic.Int64 // bytes in use above which it waits for it

	patience int // grows while collections take much longer than the time between them
}

// set computes the limits of a device on which live bytes are in use.
func (g *garbage) set(live, memory int64) {
	step := max(live, int64(minGarbage)<<g.patience)
	if memory > 0 {
		step = min(step, memory/garbageFraction)
	}
	g.ask.Store(live + step)
	g.wait.Store(live + 2*step)
}

// collections runs one collection at a time, for all devices.
var collections struct {
	mu      sync.Mutex
	running chan struct{} // closed when the collection under way has ended; nil when there is none
	ended   time.Time     // when the last one ended

	waiting atomic.Int64 // allocations that wait for it
}

// makeRoom is called before n more bytes are taken from the driver. It asks for a
// collection if the device has gained many bytes, and reports whether it waited
// for one, which may have filled the pool.
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

// startCollection starts a collection unless one is under way. The channel is
// closed when it has ended.
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
	}
	start := time.Now()
	collect()
	// While an allocation waits, what was dropped during the collection is garbage
	// too, and so are the parts of spread containers, whose finalizers run only
	// after a second collection.
	if c.waiting.Load() > 0 && slices.ContainsFunc(devs, func(d *Device) bool {
		return d.stats.liveBytes.Load() > d.pool.garbage.ask.Load()
	}) {
		collect()
	}
	took := time.Since(start)

	c.mu.Lock()
	defer c.mu.Unlock()
	pause := start.Sub(c.ended) // before the first one, ended is zero: a long pause
	for i, d := range devs {
		g := &d.pool.garbage
		switch {
		case asked[i] && took/2 > pause:
			g.patience = min(g.patience+1, maxPatience)
		case asked[i] && took < pause/2:
			g.patience = max(g.patience-1, 0)
		}
		g.set(d.stats.liveBytes.Load(), d.info.Memory)
	}
	c.ended = time.Now()
	close(c.running)
	c.running = nil
}

// collect runs Go's garbage collector and returns when the finalizers of what it
// found have run: those of containers give their memory back to the pools.
func collect() {
	runtime.GC()
	counts := []metrics.Sample{{Name: "/gc/finalizers/queued:finalizers"}, {Name: "/gc/finalizers/executed:finalizers"}}
	metrics.Read(counts)
	queued := counts[0].Value.Uint64()
	deadline := time.Now().Add(finalizersTime) // a finalizer of the program may hang
	for pause := 10 * time.Microsecond; counts[1].Value.Uint64() < queued && time.Now().Before(deadline); pause = min(2*pause, time.Millisecond) {
		time.Sleep(pause)
		metrics.Read(counts)
	}
}
