package devices

// Internals of the package for its tests.

// SetCacheLimit sets the limit of the cache on disk and returns a function that
// restores it.
func SetCacheLimit(n int64) (undo func()) {
	old := cacheLimit
	cacheLimit = n
	return func() { cacheLimit = old }
}

// PoolBytes returns the number of bytes in the device's pool.
func PoolBytes(d *Device) int64 {
	d.pool.mu.Lock()
	defer d.pool.mu.Unlock()
	return d.pool.bytes
}

// SizeClass returns the size that Alloc requests from the driver for n bytes.
func SizeClass(n int64) int64 { return class(n) }

// FormatSize formats a size as error messages do.
func FormatSize(n int64) string { return size(n) }

// ForgetDefault makes Default search for the default device again.
func ForgetDefault() {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	registry.auto, registry.autos, registry.spec = nil, nil, ""
}

// Goroutine identifies the calling goroutine.
func Goroutine() uint64 { return goroutine() }

// Collect runs a collection as an allocation requests it, and returns the bytes in use on d above
// which the next one is requested.
func Collect(d *Device) (ask int64) {
	<-startCollection()
	return d.pool.garbage.ask.Load()
}
