package devices

import (
	"slices"
	"sync"
	"sync/atomic"
)

// buildHooks holds the functions that OnBuild registered. The list is replaced
// and never modified, so that a build can read it without a lock.
var buildHooks struct {
	mu    sync.Mutex
	hooks atomic.Pointer[[]*buildHook]
}

type buildHook struct {
	started func(d *Device, label string) (done func())
}

// OnBuild registers a function that is called whenever a device starts to
// compile a kernel from source, which can take seconds. It is not called for
// kernels from the cache on disk, which load in milliseconds, nor on the CPU
// device, which compiles nothing. PoCL has its own cache, so on PoCL the
// function is called for every kernel. The argument label names the launch that
// needs the kernel, such as "Map(square)". If started returns a function, that
// function is called when the compiler has finished, whether or not it
// succeeded.
//
// Goroutines may compile kernels concurrently, so both functions may be called
// concurrently. They delay the build and should return at once, and they must
// not use the device. A program that reports only builds of half a second or
// more starts a timer in started and stops it in done.
//
// OnBuild returns a function that removes the registration. It may be called
// more than once.
func OnBuild(started func(d *Device, label string) (done func())) (remove func()) {
	if started == nil {
		panic("devices: OnBuild: the function is nil")
	}
	h := &buildHook{started}
	changeBuildHooks(func(all []*buildHook) []*buildHook { return append(all, h) })
	return func() {
		changeBuildHooks(func(all []*buildHook) []*buildHook {
			return slices.DeleteFunc(all, func(x *buildHook) bool { return x == h })
		})
	}
}

func changeBuildHooks(change func([]*buildHook) []*buildHook) {
	buildHooks.mu.Lock()
	defer buildHooks.mu.Unlock()
	var all []*buildHook
	if old := buildHooks.hooks.Load(); old != nil {
		all = slices.Clone(*old)
	}
	all = change(all)
	buildHooks.hooks.Store(&all)
}

// buildStarted calls the registered functions and returns a function that calls
// what they returned.
func (d *Device) buildStarted(label string) (done func()) {
	hooks := buildHooks.hooks.Load()
	if hooks == nil || len(*hooks) == 0 {
		return func() {}
	}
	var ends []func()
	for _, h := range *hooks {
		if end := h.started(d, label); end != nil {
			ends = append(ends, end)
		}
	}
	return func() {
		for _, end := range ends {
			end()
		}
	}
}
