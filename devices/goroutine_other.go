//go:build !gc || (!amd64 && !arm64)

package devices

import (
	"bytes"
	"runtime"
	"strconv"
)

// goroutine returns the number of the calling goroutine, which it parses from a
// stack trace. It takes microseconds and is called only while something is being
// recorded, to separate the recorded goroutine from others.
func goroutine() uint64 {
	var buf [64]byte
	text := bytes.TrimPrefix(buf[:runtime.Stack(buf[:], false)], []byte("goroutine "))
	number, _, _ := bytes.Cut(text, []byte(" "))
	id, _ := strconv.ParseUint(string(number), 10, 64) // "goroutine 7 [running]:" since Go 1.0
	return id
}
