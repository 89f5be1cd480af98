package vector_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
	"github.com/skelgo/skelgo/vector"
)

// eachPlace runs a test on every device, on a fake, over several fakes in every way, and over pages.
func eachPlace(t *testing.T, f func(t *testing.T, on vector.Distribution)) {
	each(t, func(t *testing.T, d *devices.Device) { f(t, vector.Single(d)) })
	t.Run("several", func(t *testing.T) {
		_, devs := fakes(t, 3)
		for _, on := range everywhere(devs) {
			t.Run(on.String(), func(t *testing.T) { f(t, on) })
		}
	})
	eachPages(t, f)
}

// eachPages runs a test over pages of every device that has them, and of a fake. On the device there are at most
// fitting bytes of them at once.
func eachPages(t *testing.T, f func(t *testing.T, on vector.Distribution)) {
	t.Setenv("SKEL_MEMORY", fmt.Sprint(fitting))
	run := func(t *testing.T, d *devices.Device) {
		pages, err := d.Pages(16)
		ok(t, err)
		t.Run("pages", func(t *testing.T) {
			devicestest.NoLeaks(t, pages...)
			f(t, vector.Block(pages...))
		})
		t.Run("pages of different sizes", func(t *testing.T) {
			devicestest.NoLeaks(t, pages...)
			f(t, vector.Block(pages...).Weighted(1, 2, 0, 3, 1, 2, 2, 1, 0, 1, 3, 2, 2, 1, 1, 1))
		})
	}
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		if d.Native() {
			if _, err := d.Pages(1); err == nil {
				t.Error("a native device has pages")
			}
			return
		}
		run(t, d)
	})
	_, d := fake(t, drivertest.Options{Lazy: true})
	t.Run("fake", func(t *testing.T) { run(t, d) })
}

const fitting = 1 << 20

// pagedFake returns a distribution over pages of a fake.
func pagedFake(t *testing.T) vector.Distribution {
	t.Helper()
	t.Setenv("SKEL_MEMORY", fmt.Sprint(fitting))
	_, d := fake(t, drivertest.Options{Lazy: true})
	pages, err := d.Pages(16)
	ok(t, err)
	return vector.Block(pages...)
}

// blocks returns s in blocks of different lengths, some of which are empty.
func blocks[T any](s []T) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		for n := 0; len(s) > 0; n = 3*n + 1 {
			n = min(n, len(s), 50_000)
			if !yield(slices.Clone(s[:n])) {
				return
			}
			s = s[n:]
		}
	}
}

// wantElements checks the elements of a vector, which it reads in chunks of different lengths, all at once, and one at
// a time.
func wantElements[T comparable](t *testing.T, what string, v *vector.Vector[T], want []T) {
	t.Helper()
	ok(t, v.Err())
	if v.Len() != len(want) {
		t.Fatalf("%s: length %d, want %d", what, v.Len(), len(want))
	}
	for _, n := range []int{1 + len(want)/7, max(1, len(want)), len(want) + 1, math.MaxInt} {
		lo := 0
		for s, err := range v.Chunks(n) {
			if err != nil {
				t.Fatalf("%s: chunks of %d: %v", what, n, err)
			}
			if lo >= len(want) || len(s) != min(n, len(want)-lo) {
				t.Fatalf("%s: a chunk of %d at %d, for chunks of %d of %d", what, len(s), lo, n, len(want))
			}
			wantSame(t, fmt.Sprintf("%s: chunks of %d: from %d on", what, n, lo), s, want[lo:lo+len(s)])
			lo += len(s)
		}
		if lo != len(want) {
			t.Errorf("%s: chunks of %d hold %d elements, want %d", what, n, lo, len(want))
		}
	}
	if n := len(want); n > 0 {
		for _, i := range []int{0, n / 3, n - 1} {
			if x, err := v.At(i); err != nil || x != want[i] {
				t.Errorf("%s: element %d = %v, %v; want %v", what, i, x, err, want[i])
			}
		}
	}
	got, err := v.Host()
	ok(t, err)
	wantSame(t, what, got, want)
}

// wantSame compares slices, and shows the first difference.
func wantSame[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d elements, want %d", what, len(got), len(want))
	}
	for i, x := range got {
		if x != want[i] {
			t.Fatalf("%s: element %d = %v, want %v", what, i, x, want[i])
		}
	}
}

// TestRead reads parts of vectors without a copy on the host.
func TestRead(t *testing.T) {
	eachPlace(t, func(t *testing.T, on vector.Distribution) {
		v := vector.From(ints(1000), on)
		defer v.Free()
		for _, c := range [][2]int{{0, 1000}, {0, 1}, {999, 1000}, {300, 800}, {0, 0}, {1000, 1000}, {500, 500}} {
			dst := make([]int32, c[1]-c[0])
			ok(t, v.Read(c[0], dst))
			wantSame(t, fmt.Sprint(c), dst, ints(1000)[c[0]:c[1]])
		}
		wantPanic(t, "vector: Read: [999:1001] out of range [0:1000]", func() { _ = v.Read(999, make([]int32, 2)) })
		wantPanic(t, "vector: Read: [-1:1] out of range [0:1000]", func() { _ = v.Read(-1, make([]int32, 2)) })
	})
}

// testSources makes vectors of elements of type T, which f computes, in all ways, and changes them.
func testSources[T comparable](t *testing.T, f func(i int) T) {
	eachPlace(t, func(t *testing.T, on vector.Distribution) {
		for _, n := range []int{0, 1, 2, 1000, 2*fitting/driver.SizeOf[T]() + 5} {
			if n > 1000 && !strings.Contains(on.String(), "pages") {
				n = 5000
			}
			want := make([]T, n)
			for i := range want {
				want[i] = f(i)
			}
			fill := func(first int, dst []T) error {
				if first < 0 || first > n-len(dst) {
					return fmt.Errorf("asked for [%d, %d) of %d", first, first+len(dst), n)
				}
				for i := range dst {
					dst[i] = f(first + i)
				}
				return nil
			}
			for what, create := range map[string]func() *vector.Vector[T]{
				"FromReader": func() *vector.Vector[T] {
					return vector.FromReader[T](bytes.NewReader(driver.Bytes(want)), n, on)
				},
				"FromFunc": func() *vector.Vector[T] { return vector.FromFunc(n, fill, on) },
				"FromSeq":  func() *vector.Vector[T] { return vector.FromSeq(n, blocks(want), on) },
			} {
				v := create()
				if !v.Distribution().Equal(on) {
					t.Errorf("%s: on %v, want %v", what, v.Distribution(), on)
				}
				c := create()
				wantElements(t, what, v, want)
				if n == 0 {
					continue
				}
				changed := slices.Clone(want)
				for i := n / 2; i < min(n, n/2+100); i++ {
					changed[i] = f(i + 1)
				}
				ok(t, c.Write(n/2, changed[n/2:min(n, n/2+100)]))
				wantElements(t, what+", changed", c, changed)
				d := v.Clone()
				ok(t, v.CopyFrom(c))
				wantElements(t, what+", overwritten", v, changed)
				wantElements(t, what+", cloned", d, want)
				v.Free()
				c.Free()
				d.Free()
			}
		}
	})
}

func TestSources(t *testing.T) {
	t.Run("4 bytes", func(t *testing.T) { testSources(t, func(i int) float32 { return float32(i) / 3 }) })
	if testing.Short() {
		return // the other types use the same code of the host
	}
	t.Run("1 byte", func(t *testing.T) { testSources(t, func(i int) uint8 { return uint8(i*i/3 + i) }) })
	t.Run("3 bytes", func(t *testing.T) {
		testSources(t, func(i int) [3]uint8 { return [3]uint8{uint8(i), uint8(i >> 8), uint8(i>>16 + 1)} })
	})
	t.Run("12 bytes", func(t *testing.T) {
		type point struct {
			X    float32
			N    int32
			A, B int16
		}
		testSources(t, func(i int) point { return point{float32(i) / 7, int32(-i), int16(i), int16(i >> 16)} })
	})
}

// TestLargeSources makes vectors of more than one of the pieces in which sources are read, whose ends are not
// those of elements.
func TestLargeSources(t *testing.T) {
	each(t, func(t *testing.T, d *devices.Device) {
		const n = 3_000_001
		f := func(i int) [3]uint8 { return [3]uint8{uint8(i), uint8(i >> 8), uint8(i >> 16)} }
		want := make([][3]uint8, n)
		for i := range want {
			want[i] = f(i)
		}
		v := vector.FromReader[[3]uint8](bytes.NewReader(driver.Bytes(want)), n, vector.Single(d))
		defer v.Free()
		got, err := v.Host()
		ok(t, err)
		wantSame(t, "FromReader", got, want)
		var computed atomic.Int64
		w := vector.FromFunc(n, func(first int, dst [][3]uint8) error {
			if first < 0 || first+len(dst) > n {
				return fmt.Errorf("asked for [%d, %d) of %d", first, first+len(dst), n)
			}
			computed.Add(int64(len(dst)))
			for i := range dst {
				dst[i] = f(first + i)
			}
			return nil
		}, vector.Single(d))
		defer w.Free()
		got, err = w.Host()
		ok(t, err)
		wantSame(t, "FromFunc", got, want)
		if c := computed.Load(); c < n || c > n+10 {
			t.Errorf("%d elements are computed, want %d and few twice", c, n)
		}
	})
}

// counter counts the bytes that are read.
type counter struct {
	io.ReaderAt
	n atomic.Int64
}

func (c *counter) ReadAt(p []byte, off int64) (int, error) {
	c.n.Add(int64(len(p)))
	return c.ReaderAt.ReadAt(p, off)
}

// TestSourceIsReadWhenNeeded counts the bytes that are read: all of them once without pages, and for pages
// only those that are needed.
func TestSourceIsReadWhenNeeded(t *testing.T) {
	const n = fitting / 2
	s := ints(n)
	each(t, func(t *testing.T, d *devices.Device) {
		r := &counter{ReaderAt: bytes.NewReader(driver.Bytes(s))}
		v := vector.FromReader[int32](r, n, vector.Single(d))
		defer v.Free()
		wantElements(t, "FromReader", v, s)
		if got := r.n.Load(); got != 4*n {
			t.Errorf("%d bytes are read, want %d", got, 4*n)
		}
	})
	t.Run("pages", func(t *testing.T) {
		r := &counter{ReaderAt: bytes.NewReader(driver.Bytes(s))}
		v := vector.FromReader[int32](r, n, pagedFake(t))
		defer v.Free()
		if got := r.n.Load(); got != 0 {
			t.Errorf("%d bytes are read before they are needed", got)
		}
		part, err := v.HostRange(1000, 1100)
		ok(t, err)
		wantSame(t, "HostRange", part, s[1000:1100])
		if got := r.n.Load(); got < 400 || got > 4*n/2 {
			t.Errorf("%d bytes are read for 400", got)
		}
		wantElements(t, "FromReader", v, s)
	})
}

// errUnreadable is the error of a source.
var errUnreadable = errors.New("the disk is on fire")

// broken is a reader that fails at one byte.
type broken struct {
	io.ReaderAt
	at int64
}

func (b *broken) ReadAt(p []byte, off int64) (int, error) {
	if off <= b.at && b.at < off+int64(len(p)) {
		return int(b.at - off), fmt.Errorf("reading byte %d: %w", b.at, errUnreadable)
	}
	return b.ReaderAt.ReadAt(p, off)
}

// lazyReader returns fewer bytes than it is asked for, and no error, which an io.ReaderAt must not do.
type lazyReader struct{ io.ReaderAt }

func (l *lazyReader) ReadAt(p []byte, off int64) (int, error) {
	return l.ReaderAt.ReadAt(p[:len(p)/2], off)
}

func TestSourceErrors(t *testing.T) {
	sources := map[string]struct {
		make func(s []int32, on vector.Distribution) *vector.Vector[int32]
		want error
	}{
		"an error of the reader": {func(s []int32, on vector.Distribution) *vector.Vector[int32] {
			r := &broken{bytes.NewReader(driver.Bytes(s)), int64(4*len(s) - 2)}
			return vector.FromReader[int32](r, len(s), on)
		}, errUnreadable},
		"a reader that ends": {func(s []int32, on vector.Distribution) *vector.Vector[int32] {
			return vector.FromReader[int32](bytes.NewReader(driver.Bytes(s)[1:]), len(s), on)
		}, io.ErrUnexpectedEOF},
		"an empty reader": {func(s []int32, on vector.Distribution) *vector.Vector[int32] {
			return vector.FromReader[int32](bytes.NewReader(nil), len(s), on)
		}, io.ErrUnexpectedEOF},
		"a reader that returns less": {func(s []int32, on vector.Distribution) *vector.Vector[int32] {
			return vector.FromReader[int32](&lazyReader{bytes.NewReader(driver.Bytes(s))}, len(s), on)
		}, io.ErrUnexpectedEOF},
		"an error of the function": {func(s []int32, on vector.Distribution) *vector.Vector[int32] {
			return vector.FromFunc(len(s), func(first int, dst []int32) error {
				if first+len(dst) == len(s) {
					return fmt.Errorf("element %d: %w", len(s)-1, errUnreadable)
				}
				return nil
			}, on)
		}, errUnreadable},
	}
	eachPlace(t, func(t *testing.T, on vector.Distribution) {
		paged := strings.Contains(on.String(), "pages")
		s := ints(1000)
		if paged {
			s = ints(fitting / 2)
		}
		for what, source := range sources {
			v := source.make(s, on)
			if err := v.Err(); !paged && !errors.Is(err, source.want) {
				t.Errorf("%s: Err() = %v, want %v", what, err, source.want)
			}
			if _, err := v.Host(); !errors.Is(err, source.want) {
				t.Errorf("%s: Host: error %v, want %v", what, err, source.want)
			}
			if err := v.Err(); !errors.Is(err, source.want) {
				t.Errorf("%s: Err() after Host = %v, want %v", what, err, source.want)
			}
			if err := v.Clone().Err(); !errors.Is(err, source.want) {
				t.Errorf("%s: the error of a clone is %v, want %v", what, err, source.want)
			}
			calls := 0
			for s, err := range v.Chunks(10) {
				if calls++; s != nil || !errors.Is(err, source.want) {
					t.Errorf("%s: Chunks: %d elements, error %v; want %v", what, len(s), err, source.want)
				}
			}
			if calls != 1 {
				t.Errorf("%s: %d chunks after an error, want 1", what, calls)
			}
			v.Free()

			// Chunks before the error are right; after it there are none.
			v = source.make(s, on)
			var first error
			lo, after := 0, 0
			for c, err := range v.Chunks(1 + len(s)/10) {
				switch {
				case first != nil:
					after++
				case err != nil:
					first = err
				case paged && source.want == errUnreadable && !strings.Contains(what, "function"):
					wantSame(t, what, c, s[lo:lo+len(c)])
				}
				lo += len(c)
			}
			if !errors.Is(first, source.want) || after != 0 || lo >= len(s) {
				t.Errorf("%s: Chunks: error %v and %d chunks after it, want %v; %d elements",
					what, first, after, source.want, lo)
			}
			v.Free()
		}
	})
}

// TestSourceDeviceErrors makes calls of a device fail. Nothing may leak.
func TestSourceDeviceErrors(t *testing.T) {
	for _, op := range []drivertest.Op{drivertest.Alloc, drivertest.Write} {
		f, d := fake(t, drivertest.Options{})
		devicestest.NoLeaks(t, d)
		for what, create := range map[string]func() *vector.Vector[int32]{
			"FromReader": func() *vector.Vector[int32] {
				return vector.FromReader[int32](bytes.NewReader(make([]byte, 40)), 10, vector.Single(d))
			},
			"FromFunc": func() *vector.Vector[int32] {
				return vector.FromFunc(10, func(int, []int32) error { return nil }, vector.Single(d))
			},
			"FromSeq": func() *vector.Vector[int32] {
				return vector.FromSeq(10, slices.Values([][]int32{ints(4), ints(6)}), vector.Single(d))
			},
		} {
			f.FailAt(op, 1, 2, nil)
			v := create()
			if err := v.Err(); !errors.Is(err, drivertest.ErrInjected) || !strings.Contains(err.Error(), "fake:0") {
				t.Errorf("%s, when %s fails: error %v, want the injected one with the device", what, op, err)
			}
			v.Free()
			f.FailAt(op, 1<<30, 1, nil)
		}
	}
}

func TestSourceBadArguments(t *testing.T) {
	_, d := fake(t, drivertest.Options{})
	on := vector.Single(d)
	v := vector.From(ints(10), on)
	defer v.Free()
	nothing := func(int, []int32) error { return nil }
	wantPanic(t, "vector: FromReader: length -1 is negative", func() {
		vector.FromReader[int32](bytes.NewReader(nil), -1, on)
	})
	wantPanic(t, "vector: FromFunc: length -2 is negative", func() { vector.FromFunc(-2, nothing, on) })
	wantPanic(t, "vector: FromSeq: length -3 is negative", func() { vector.FromSeq(-3, blocks(ints(3)), on) })
	wantPanic(t, "vector: Chunks: the length of a chunk must be positive", func() { v.Chunks(0) })
	wantPanic(t, "vector: Chunks: the length of a chunk must be positive", func() { v.Chunks(-1) })
	wantPanic(t, "vector: elements of type string cannot live on a device", func() {
		vector.FromReader[string](bytes.NewReader(nil), 1, on)
	})
	wantPanic(t, "vector: elements of type *int cannot live on a device", func() {
		vector.FromFunc(1, func(int, []*int) error { return nil }, on)
	})
	wantPanic(t, "vector: elements of type []int32 cannot live on a device", func() {
		vector.FromSeq(1, blocks([][]int32{{1}}), on)
	})
}

// TestSourcesRecorded checks that a recording refuses to read sources and elements.
func TestSourcesRecorded(t *testing.T) {
	_, d := fake(t, drivertest.Options{})
	on := vector.Single(d)
	v := vector.From(ints(10), on)
	defer v.Free()
	for what, f := range map[string]func() error{
		"FromReader": func() error { return vector.FromReader[int32](bytes.NewReader(make([]byte, 8)), 2, on).Err() },
		"FromFunc": func() error {
			return vector.FromFunc(2, func(int, []int32) error { return nil }, on).Err()
		},
		"FromSeq": func() error { return vector.FromSeq(2, blocks(ints(2)), on).Err() },
		"Chunks": func() error {
			for _, err := range v.Chunks(3) {
				return err
			}
			return nil
		},
	} {
		var inner error
		r, err := devices.Record(func() error {
			inner = f()
			return nil
		})
		if err == nil {
			t.Errorf("%s is recorded", what)
			ok(t, r.Close())
		}
		if inner == nil {
			t.Errorf("%s: no error while a loop is recorded", what)
		}
	}
}
