package devices

import (
	"bytes"
	"runtime"
	"strconv"
)

// goroutine is the number of the goroutine that calls it, as stack traces show
// it. It takes about two microseconds and is asked for only while something is
// being recorded, to tell what is to be recorded from what other goroutines do.
func goroutine() uint64 {
	var buf [64]byte
	text := bytes.TrimPrefix(buf[:runtime.Stack(buf[:], false)], []byte("goroutine "))
	number, _, _ := bytes.Cut(text, []byte(" "))
	id, _ := strconv.ParseUint(string(number), 10, 64) // "goroutine 7 [running]:" since Go 1.0
	return id
}
