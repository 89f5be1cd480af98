package cpu

import (
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// totalMemory returns the machine's memory in bytes, or the limit of the
// program's control group if that is lower.
func totalMemory() int64 {
	total := int64(math.MaxInt64)
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		if _, rest, ok := strings.Cut(string(text), "MemTotal:"); ok {
			if f := strings.Fields(rest); len(f) > 0 {
				if kb, err := strconv.ParseInt(f[0], 10, 64); err == nil {
					total = kb << 10
				}
			}
		}
	}
	for _, name := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		if text, err := os.ReadFile(name); err == nil {
			if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && n > 0 {
				total = min(total, n)
			}
		}
	}
	if total == math.MaxInt64 { // the system does not report its memory
		total = 64 << 30
	}
	return total
}

// model returns the processor's name.
func model() string {
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if _, rest, ok := strings.Cut(string(text), "model name"); ok {
			line, _, _ := strings.Cut(rest, "\n")
			if name := strings.TrimSpace(strings.TrimLeft(line, "\t :")); name != "" {
				return name
			}
		}
	}
	return runtime.GOARCH + " processor"
}
