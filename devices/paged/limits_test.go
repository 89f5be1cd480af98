package paged_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
	"github.com/skelgo/skelgo/devices/paged"
)

// slow is a source of zeros, like a slow file.
type slow struct{ took time.Duration }

func (s *slow) ReadAt(p []byte, _ int64) (int, error) {
	time.Sleep(s.took)
	clear(p)
	return len(p), nil
}

// broken is a source that cannot be read. It cannot be the key of a map either.
type broken []int

func (broken) ReadAt([]byte, int64) (int, error) { return 0, errors.New("broken") }

var (
	nop = driver.Program{Name: "nop", Go: func(driver.Group, []driver.Arg) {}}
	one = driver.Grid{Groups: 1, Lanes: 1}
)

const mib = 1 << 20

// launch launches a kernel that changes buffers.
func launch(t *testing.T, page *paged.Device, bufs ...driver.Buffer) error {
	t.Helper()
	k, err := page.Build(nop)
	if err != nil {
		t.Fatal(err)
	}
	var args []driver.Arg
	for _, b := range bufs {
		args = append(args, driver.Memory(b))
	}
	ev, err := k.Launch(one, args...)
	if err == nil {
		err = ev.Wait()
	}
	return err
}

// alloc returns a buffer of n bytes that have been written.
func alloc(t *testing.T, page *paged.Device, n int64) driver.Buffer {
	t.Helper()
	b, err := page.Alloc(n)
	if err == nil {
		_, err = b.Write(0, make([]byte, n))
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestReadAheadLeavesRoom launches with three buffers where four fit, and all have successors to read ahead.
func TestReadAheadLeavesRoom(t *testing.T) {
	p := paged.New(drivertest.NewFake(drivertest.Options{}).Device(0), 4*mib)
	page := p.Page()
	var first []driver.Buffer
	for range 3 {
		s := &slow{20 * time.Millisecond}
		for i := range int64(4) {
			b, err := page.AllocFrom(s, i*mib, mib)
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				first = append(first, b)
			}
		}
	}
	if err := launch(t, page, first...); err != nil {
		t.Error(err)
	}
	p.Wait()
}

// TestConcurrentCalls makes calls that each need three quarters of the memory from two goroutines.
func TestConcurrentCalls(t *testing.T) {
	page := paged.New(drivertest.NewFake(drivertest.Options{}).Device(0), mib).Page()
	k, err := page.Build(nop)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 2 {
		var args []driver.Arg
		for range 3 {
			args = append(args, driver.Memory(alloc(t, page, mib/4)))
		}
		all.Go(func() {
			for range 300 {
				if _, err := k.Launch(one, args...); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
}

// TestOthersUseMemory fills the device while a page needs memory, and later gives it back.
func TestOthersUseMemory(t *testing.T) {
	dev := drivertest.NewFake(drivertest.Options{Memory: 16 * mib}).Device(0)
	p := paged.New(dev, 12*mib)
	page := p.Page()
	other, err := dev.Alloc(14 * mib)
	if err != nil {
		t.Fatal(err)
	}
	bufs := []driver.Buffer{alloc(t, page, mib), alloc(t, page, mib), alloc(t, page, mib)}
	if err := launch(t, page, bufs...); !errors.Is(err, driver.ErrMemory) {
		t.Errorf("with 2 MiB: %v", err)
	}
	if err := other.Free(); err != nil {
		t.Fatal(err)
	}
	if err := launch(t, page, bufs...); !errors.Is(err, driver.ErrMemory) {
		t.Errorf("the contents of the failed launch: %v", err)
	}
	bufs = []driver.Buffer{alloc(t, page, mib), alloc(t, page, mib), alloc(t, page, mib)}
	if err := launch(t, page, bufs...); err != nil {
		t.Error(err)
	}
	if p.Trim(16 * mib); dev.FreeMemory() != 16*mib {
		t.Errorf("after Trim, %d bytes are free", dev.FreeMemory())
	}
	if err := launch(t, page, bufs...); err != nil {
		t.Error(err)
	}
}

// limited is a device whose buffers have a greatest size.
type limited struct {
	driver.Device
	most int64
}

func (l limited) Info() driver.Info {
	info := l.Device.Info()
	info.MaxAlloc = l.most
	return info
}

func (l limited) Alloc(n int64) (driver.Buffer, error) {
	if n > l.most {
		return nil, driver.ErrMemory
	}
	return l.Device.Alloc(n)
}

func TestMaxAlloc(t *testing.T) {
	dev := limited{drivertest.NewFake(drivertest.Options{}).Device(0), 4*mib + 1000}
	page := paged.New(dev, 64*mib).Page()
	if err := launch(t, page, alloc(t, page, mib), alloc(t, page, 4*mib+900)); err != nil {
		t.Error(err)
	}
}

// TestCopyLarge copies between buffers that do not fit into the memory together.
func TestCopyLarge(t *testing.T) {
	page := paged.New(drivertest.NewFake(drivertest.Options{}).Device(0), 64*mib).Page()
	const n = 40 * mib
	numbers := func(first byte) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = first + byte(i%251)
		}
		return b
	}
	written := func(data []byte) driver.Buffer {
		b := alloc(t, page, n)
		if _, err := b.Write(0, data); err != nil {
			t.Fatal(err)
		}
		return b
	}
	first, second := numbers(1), numbers(2)
	inMemory := func() driver.Buffer {
		b := written(first)
		if err := launch(t, page, b); err != nil {
			t.Fatal(err)
		}
		return b
	}
	inFile, err := page.AllocFrom(bytes.NewReader(first), 0, n)
	if err != nil {
		t.Fatal(err)
	}
	onHost := inMemory()
	for name, from := range map[string]func() driver.Buffer{
		"device": inMemory, "host": func() driver.Buffer { inMemory(); return onHost },
		"file": func() driver.Buffer { return inFile },
	} {
		to, at, part := written(second), from(), int64(20*mib+77)
		if _, err := to.Copy(5, at, 9, part); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		got := make([]byte, n)
		if _, err := to.Read(0, got); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		want := slices.Concat(second[:5], first[9:9+part], second[5+part:])
		if !bytes.Equal(got, want) {
			t.Errorf("%s: other bytes", name)
		}
		if _, err := at.Read(0, got); err != nil || !bytes.Equal(got, first) {
			t.Errorf("%s: the source has changed: %v", name, err)
		}
	}
	empty, err := page.Alloc(n)
	if err == nil {
		_, err = written(second).Copy(0, empty, 0, n)
	}
	if err == nil {
		err = page.Sync()
	}
	if err != nil {
		t.Errorf("without contents: %v", err)
	}
}

// TestFailedCopy copies from a source that cannot be read: what needs the target fails, too, until it is written.
func TestFailedCopy(t *testing.T) {
	page := paged.New(drivertest.NewFake(drivertest.Options{}).Device(0), 64*mib).Page()
	from, err := page.AllocFrom(broken{}, 0, mib)
	if err != nil {
		t.Fatal(err)
	}
	to, then, other := alloc(t, page, mib), alloc(t, page, mib), alloc(t, page, mib)
	for _, c := range [][2]driver.Buffer{{to, from}, {then, to}} {
		if _, err := c[0].Copy(5, c[1], 0, 100); err != nil {
			t.Error("not when it is enqueued: ", err)
		}
	}
	got := make([]byte, mib)
	for range 2 {
		for _, b := range []driver.Buffer{then, to} {
			if _, err := b.Read(0, got); err == nil || err.Error() != "broken" {
				t.Errorf("reading what could not be computed: %v", err)
			}
		}
	}
	if _, err := other.Read(0, got); err != nil {
		t.Errorf("reading another buffer: %v", err)
	}
	if err := page.Sync(); err != nil {
		t.Errorf("the error has been returned before: %v", err)
	}
	want := bytes.Repeat([]byte{7}, mib)
	if _, err := to.Write(0, want); err != nil {
		t.Error(err)
	}
	if _, err := to.Read(0, got); err != nil || !bytes.Equal(got, want) {
		t.Errorf("after it has been written: %v", err)
	}
	if _, err := then.Copy(0, from, 0, 1); err != nil {
		t.Error(err)
	}
	if err := page.Sync(); err == nil {
		t.Error("Sync does not return an error that nothing has returned")
	}
}

// TestFreeAfterClose frees a buffer of a closed pager.
func TestFreeAfterClose(t *testing.T) {
	f := drivertest.NewFake(drivertest.Options{})
	p := paged.New(f.Device(0), 12*mib)
	b := alloc(t, p.Page(), mib)
	p.Close()
	if err := b.Free(); err != nil {
		t.Error(err)
	}
	if n, size := f.Live(); n != 0 {
		t.Errorf("%d buffers of %d bytes are left", n, size)
	}
}

// TestGoroutines makes random calls from several goroutines, each on its own buffers, which share the memory of
// the device.
func TestGoroutines(t *testing.T) {
	for _, lazy := range []bool{false, true} {
		f := drivertest.NewFake(drivertest.Options{Lazy: lazy})
		p := paged.New(f.Device(0), 8*piece)
		page := p.Page()
		k, err := page.Build(increment)
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for g := range uint64(4) {
			all.Go(func() {
				w := worker{t: t, page: page, kernel: k, random: rand.New(rand.NewPCG(1, g))}
				w.start()
				for range 400 {
					w.call()
				}
				w.end()
			})
		}
		all.Wait()
		p.Close()
		if n, size := f.Live(); n != 0 {
			t.Errorf("%d buffers of %d bytes are left", n, size)
		}
	}
}

const piece = 4 << 10 // bytes of a worker's buffers

// worker makes random calls on buffers whose contents it knows.
type worker struct {
	t      *testing.T
	page   *paged.Device
	kernel driver.Kernel
	random *rand.Rand
	bufs   []driver.Buffer
	want   [][]byte
}

func (w *worker) fresh(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(w.random.Uint32())
	}
	return b
}

// leave does not wait for a call, or rarely.
func (w *worker) leave(ev driver.Event, err error) {
	if err != nil || w.random.IntN(20) == 0 {
		w.wait(ev, err)
	}
}

func (w *worker) wait(ev driver.Event, err error) {
	if err == nil {
		err = ev.Wait()
	}
	if err != nil {
		w.t.Error(err)
	}
}

// start allocates buffers, some of which follow each other in a source.
func (w *worker) start() {
	w.bufs, w.want = nil, nil
	source := w.fresh(6 * piece)
	r := bytes.NewReader(source)
	for i := range 6 {
		contents := bytes.Clone(source[i*piece:][:piece])
		var b driver.Buffer
		var err error
		if i < 4 {
			b, err = w.page.AllocFrom(r, int64(i*piece), piece)
		} else if b, err = w.page.Alloc(piece); err == nil {
			w.wait(b.Write(0, contents))
		}
		if err != nil {
			w.t.Error(err)
			return
		}
		w.bufs, w.want = append(w.bufs, b), append(w.want, contents)
	}
}

// end checks and frees the buffers.
func (w *worker) end() {
	for i, b := range w.bufs {
		got := make([]byte, piece)
		if w.wait(b.Read(0, got)); !bytes.Equal(got, w.want[i]) {
			w.t.Errorf("buffer %d is wrong", i)
		}
		if err := b.Free(); err != nil {
			w.t.Error(err)
		}
	}
}

func (w *worker) call() {
	i, j := w.random.IntN(6), w.random.IntN(6)
	b, want := w.bufs[i], w.want[i]
	off := w.random.IntN(piece)
	n := 1 + w.random.IntN(piece-off)
	if w.random.IntN(3) == 0 {
		off, n = 0, piece
	}
	switch w.random.IntN(8) {
	case 0:
		p := w.fresh(n)
		copy(want[off:], p)
		w.wait(b.Write(int64(off), p))
	case 1:
		p := make([]byte, n)
		if w.wait(b.Read(int64(off), p)); !bytes.Equal(p, want[off:off+n]) {
			w.t.Errorf("%d bytes at %d of buffer %d are wrong", n, off, i)
		}
	case 2:
		if i != j {
			w.leave(b.Copy(int64(off), w.bufs[j], int64(off), int64(n)))
			copy(want[off:off+n], w.want[j][off:])
		}
	case 3:
		w.leave(b.(driver.Clearer).Clear(int64(off), int64(n)))
		clear(want[off : off+n])
	case 4:
		if w.random.IntN(10) == 0 {
			w.end()
			w.start()
		}
	default:
		w.leave(w.kernel.Launch(one, driver.Memory(b)))
		for k := range want {
			want[k]++
		}
	}
}
