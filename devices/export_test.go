package devices

// What the tests of this package see of its inside.

// SetCacheLimit bounds the cache on disk, and gives back how to undo it.
func SetCacheLimit(n int64) (undo func()) {
	old := cacheLimit
	cacheLimit = n
	return func() { cacheLimit = old }
}

// PoolBytes is what the device's pool holds.
func PoolBytes(d *Device) int64 {
	d.pool.mu.Lock()
	defer d.pool.mu.Unlock()
	return d.pool.bytes
}

// SizeClass is the size of buffer that Alloc gets from the driver.
func SizeClass(n int64) int64 { return class(n) }

// FormatSize is how errors write sizes.
func FormatSize(n int64) string { return size(n) }

// ForgetDefault makes Default look for the default device again.
func ForgetDefault() {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	registry.auto, registry.autos, registry.spec = nil, nil, ""
}
