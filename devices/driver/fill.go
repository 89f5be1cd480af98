package driver

import (
	"errors"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
)

// Filler is implemented by buffers that can be filled without a copy of the data in Go memory. Fill
// calls read, from several goroutines, for pieces that together are bytes off to off+n-1 of the buffer;
// read fills p with those from byte at of the n bytes on. When Fill returns, read is no longer called.
type Filler interface {
	Fill(off, n int64, read func(p []byte, at int64) error) (Event, error)
}

// Pieces in which Fill reads, and how many at a time.
const (
	fillPiece   = 4 << 20
	fillWorkers = 8
)

// Fill fills n bytes of b from offset off on with those of r from offset at on. It reads several pieces
// at the same time, on a native device into the memory of the buffer.
func Fill(b Buffer, native bool, off, n int64, r io.ReaderAt, at int64) error {
	read := func(p []byte, from int64) error { return ReadAt(r, p, at+from) }
	if f, ok := b.(Filler); ok {
		ev, err := f.Fill(off, n, read)
		if err != nil {
			return err
		}
		return ev.Wait()
	}
	workers := min(fillWorkers, runtime.GOMAXPROCS(0)+1, int((n+fillPiece-1)/fillPiece))
	var next atomic.Int64
	var stop atomic.Bool
	errs := make([]error, workers)
	var all sync.WaitGroup
	for i := range workers {
		all.Go(func() {
			fill := fillThrough(b, native, off, read)
			for errs[i] == nil {
				lo := (next.Add(1) - 1) * fillPiece
				if lo >= n || stop.Load() {
					return
				}
				errs[i] = fill(lo, min(lo+fillPiece, n))
			}
			stop.Store(true)
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// fillThrough returns a function that fills bytes lo to hi-1 of b, beginning at off.
func fillThrough(b Buffer, native bool, off int64, read func(p []byte, from int64) error) func(lo, hi int64) error {
	if h, ok := b.(HostMemory); ok && native {
		if mem := h.Bytes(); mem != nil {
			return func(lo, hi int64) error { return read(mem[off+lo:off+hi], lo) }
		}
	}
	var piece []byte
	return func(lo, hi int64) error {
		if piece == nil {
			piece = make([]byte, hi-lo)
		}
		p := piece[:hi-lo]
		if err := read(p, lo); err != nil {
			return err
		}
		ev, err := b.Write(off+lo, p)
		if err != nil {
			return err
		}
		return ev.Wait()
	}
}

// ReadAt fills p with the bytes of r from offset at on. It is an error if there are fewer.
func ReadAt(r io.ReaderAt, p []byte, at int64) error {
	n, err := r.ReadAt(p, at)
	if n == len(p) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return err
}
