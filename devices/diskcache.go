package devices

import "github.com/skelgo/skelgo/devices/driver"

// cacheFile is the file of a kernel in the cache on disk; "" when it is not cached.
type cacheFile string

func (d *Device) cacheFile(p *driver.Program) cacheFile { return "" }
func (f cacheFile) load() []byte                        { return nil }
func (f cacheFile) store(data []byte)                   {}
func (f cacheFile) remove()                             {}
