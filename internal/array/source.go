package array

import (
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
)

// FromReader returns a vector of rows of unit elements, whose memory is that of r from offset 0 on. A part
// on a page is read when it is needed, and other parts at once; those of other ranks are not
// read here.
func FromReader[T any](r io.ReaderAt, rows, unit int, d Distribution) *Vector[T] {
	checkElement[T]()
	if err := Refused("vector: FromReader"); err != nil {
		return Failed[T](rows*unit, err)
	}
	v := UninitializedOr[T](rows, unit, d)
	if v.arr.err == nil {
		_ = forEach(v.arr.pieces(), func(p piece) error { return p.fillFrom(r, int64(p.lo)*int64(p.size)) })
	}
	return v
}

// fillFrom fills a new array on one device from offset at of r.
func (a *Array) fillFrom(r io.ReaderAt, at int64) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.n == 0 {
		return a.alloc()
	}
	return a.allocWith(func(d *devices.Device, b *devices.Buffer, n int64) error { return d.AllocFrom(b, r, at, n) })
}

// FromSeq returns a vector of rows of unit elements, which the blocks hold one after the other. If they
// hold more or fewer, the vector has an error.
func FromSeq[T any](blocks iter.Seq[[]T], rows, unit int, d Distribution) *Vector[T] {
	checkElement[T]()
	if err := Refused("vector: FromSeq"); err != nil {
		return Failed[T](rows*unit, err)
	}
	v := UninitializedOr[T](rows, unit, d)
	n, at := rows*unit, 0
	for s := range blocks {
		if len(s) > n-at {
			_ = v.arr.Fail(fmt.Errorf("vector: FromSeq: the blocks hold more than %d elements", n))
			return v
		}
		if len(s) == 0 {
			continue
		}
		if err := v.Write(at, s); err != nil {
			return v
		}
		at += len(s)
	}
	if at < n {
		_ = v.arr.Fail(fmt.Errorf("vector: FromSeq: the blocks hold %d elements, not %d", at, n))
	}
	return v
}

// Chunks calls yield for all elements in chunks of n, the last of which may be shorter. The chunk is
// valid until yield returns.
func (v *Vector[T]) Chunks(n int, yield func(s []T, err error) bool) {
	count, err := v.arr.Length()
	if err == nil {
		err = Refused("vector: Chunks")
	}
	if err != nil {
		yield(nil, err)
		return
	}
	room := make([]T, min(n, count))
	for lo := 0; lo < count; lo += n {
		s := room[:min(n, count-lo)]
		if err := v.arr.copyOut(int64(lo)*int64(v.arr.size), driver.Bytes(s)); err != nil {
			yield(nil, err)
			return
		}
		if !yield(s, nil) {
			return
		}
	}
}

// Own calls yield for the elements that devices of this rank hold, in chunks of at most n, with the index of the first
// of them. The chunk is valid until yield returns.
func (v *Vector[T]) Own(n int, yield func(first int, s []T, err error) bool) {
	own, err := v.arr.own()
	if err != nil {
		yield(0, nil, err)
		return
	}
	var room []T
	for _, q := range own {
		for lo := q.lo; lo < q.hi; lo += n {
			count := min(n, q.hi-lo)
			if len(room) < count {
				room = make([]T, count)
			}
			s := room[:count]
			if err := q.copyOwn(lo-q.lo, driver.Bytes(s)); err != nil {
				yield(0, nil, err)
				return
			}
			if !yield(lo, s, nil) {
				return
			}
		}
	}
}

// own returns pieces on devices of this rank that hold each of their elements once. If there are several ranks, it
// settles all pieces, because all ranks must make the same calls.
func (a *Array) own() ([]piece, error) {
	if err := Refused("vector: HostParts"); err != nil {
		return nil, err
	}
	if err := a.ready(); err != nil {
		return nil, err
	}
	ghost := func(q piece) bool { return q.dist.device != nil && q.dist.device.Ghost() }
	all := a.pieces()
	if slices.ContainsFunc(all, func(q piece) bool { return q.dist.device != nil && q.dist.device.Joint() }) {
		for _, q := range all {
			if _, err := q.Memory(); err != nil {
				return nil, err
			}
		}
	}
	own := slices.DeleteFunc(slices.Clone(all), ghost)
	if a.place != nil && a.place.Copies() {
		own = own[:min(1, len(own))]
	}
	return own, nil
}

// copyOwn copies bytes of a piece on a device of this rank, from element first on.
func (q piece) copyOwn(first int, p []byte) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := q.settle(); err != nil {
		return err
	}
	off := int64(first) * int64(q.size)
	if native := q.buffer().Readable(); native != nil {
		copy(p, native[off:])
		return nil
	}
	return q.buffer().ReadOwn(off, p)
}

// Read copies the elements from off on to dst, without a host copy.
func (v *Vector[T]) Read(off int, dst []T) error {
	n, err := v.arr.Length()
	if err == nil {
		err = Refused("vector: Read")
	}
	if err != nil {
		return err
	}
	if off < 0 || off > n-len(dst) {
		panic(fmt.Sprintf("vector: Read: [%d:%d] out of range [0:%d]", off, off+len(dst), n))
	}
	return v.arr.copyOut(int64(off)*int64(v.arr.size), driver.Bytes(dst))
}

// copyOut copies bytes of the elements to p, without a host copy.
func (a *Array) copyOut(off int64, p []byte) error {
	if err := a.ready(); err != nil {
		return err
	}
	end := off + int64(len(p))
	bounds := func(q piece) (lo, hi int64) {
		return max(off, int64(q.lo)*int64(q.size)), min(end, int64(q.hi)*int64(q.size))
	}
	holders := slices.DeleteFunc(slices.Clone(a.disjoint()), func(q piece) bool {
		lo, hi := bounds(q)
		return lo >= hi
	})
	if len(holders) == 0 {
		return nil
	}
	return forEach(holders, func(q piece) error {
		lo, hi := bounds(q)
		q.mu.Lock()
		defer q.mu.Unlock()
		if err := q.settle(); err != nil {
			return err
		}
		return q.fetch(lo-int64(q.lo)*int64(q.size), p[lo-off:hi-off])
	})
}

// Generated returns the memory of elements that fill computes: it sets dst to those from index first on.
func Generated[T any](fill func(first int, dst []T) error) io.ReaderAt { return &generator[T]{fill} }

type generator[T any] struct {
	fill func(first int, dst []T) error
}

// ReadAt computes the elements that hold the bytes.
func (g *generator[T]) ReadAt(p []byte, off int64) (int, error) {
	size := int64(driver.SizeOf[T]())
	first, end := off/size, (off+int64(len(p))+size-1)/size
	if off%size == 0 && int64(len(p))%size == 0 {
		if dst, ok := driver.Aligned[T](p); ok {
			if err := g.fill(int(first), dst); err != nil {
				return 0, err
			}
			return len(p), nil
		}
	}
	whole := make([]T, end-first)
	if err := g.fill(int(first), whole); err != nil {
		return 0, err
	}
	return copy(p, driver.Bytes(whole)[off-first*size:]), nil
}
