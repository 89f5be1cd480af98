package devices

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"
	"sync"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/mpi"
)

// ranks holds what this process knows of the others, once a device is needed.
var ranks struct {
	once  sync.Once
	world *mpi.World // nil if this process is alone
	err   error
}

// world returns the ranks that a launcher such as mpirun has started, or nil if this process is
// alone. The first call starts MPI.
func world() (*mpi.World, error) {
	r := &ranks
	r.once.Do(func() {
		w, err := mpi.Start()
		if err != nil || w == nil {
			r.err = err
			return
		}
		w.Pack, w.Unpack = packError, unpackError
		r.world = w
		r.err = meet(w)
	})
	return r.world, r.err
}

// meet compares the ranks, which must run the same program with the same settings.
func meet(w *mpi.World) error {
	settings := map[string]string{}
	for _, name := range []string{"SKEL_DEVICE", "SKEL_SPLIT", "SKEL_MEMORY", "SKEL_CHECK", "POCL_DEVICES"} {
		settings[name] = os.Getenv(name)
	}
	program, err := programID()
	if err != nil {
		return err
	}
	return w.Meet(mpi.Process{Host: mpi.Host(), Program: program, Settings: settings})
}

// programID identifies the executable by its size and a checksum.
func programID() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	n, err := io.Copy(sum, f)
	return fmt.Sprintf("%d bytes, %08x", n, sum.Sum32()), err
}

// Launched reports whether a launcher such as mpirun has started this process as one of several.
// It starts nothing.
func Launched() bool {
	by, ok := mpi.Launched()
	return ok && by.Size != 1
}

// Rank returns the number of this process among those that a launcher such as mpirun has started,
// from 0. It is 0 without a launcher.
func Rank() int { return mpi.Rank() }

// Ranks returns the number of processes that use devices together: 1 without a launcher.
func Ranks() (int, error) {
	w, err := world()
	if err != nil {
		return 0, err
	}
	if w == nil {
		return 1, nil
	}
	return w.Size(), nil
}

// Agree returns x of rank 0, on all ranks, which must all call it. All ranks of a program must make
// the same calls on devices, so a decision about them that depends on what may differ from
// rank to rank, such as time, must be agreed. In one process Agree returns x at once.
func Agree[T ~bool | ~int | ~int64 | ~uint64 | ~float64](x T) T {
	w, err := world()
	if w == nil || err != nil {
		return x
	}
	p := []T{x}
	_ = w.Share(0, "agreement", "", driver.Bytes(p), nil) // the next read returns an error
	return p[0]
}

// FromFirst returns a reader of what r has on rank 0, for the other ranks of a program, which must
// all read it: mpirun passes its standard input to rank 0 alone. In one process FromFirst
// returns r.
func FromFirst(r io.Reader) io.Reader {
	if !Launched() {
		return r
	}
	return &firstReader{from: r}
}

// firstReader reads blocks on rank 0 and passes them to all ranks.
type firstReader struct {
	from  io.Reader
	block []byte // not returned yet
	err   error
}

func (r *firstReader) Read(p []byte) (int, error) {
	if len(r.block) == 0 && r.err == nil {
		r.err = r.next()
	}
	n := copy(p, r.block)
	if r.block = r.block[n:]; n > 0 || len(p) == 0 {
		return n, nil
	}
	return 0, r.err
}

// next gets the next block.
func (r *firstReader) next() error {
	w, err := world()
	if err != nil {
		return err
	}
	if w == nil {
		r.block = make([]byte, 1<<16)
		n, err := r.from.Read(r.block)
		r.block = r.block[:n]
		return err
	}
	var buf []byte
	var ended error
	size := []int64{0}
	if w.Rank() == 0 {
		buf = make([]byte, 1<<20)
		var n int
		n, ended = io.ReadFull(r.from, buf)
		if buf = buf[:n]; errors.Is(ended, io.ErrUnexpectedEOF) {
			ended = io.EOF
		}
		size[0] = int64(n)
		if ended != nil && !errors.Is(ended, io.EOF) {
			size[0] = -1
		}
	}
	if err := w.Share(0, "input", "", driver.Bytes(size), nil); err != nil {
		return err
	}
	if size[0] < 0 {
		return w.Share(0, "input", "", nil, func() error { return ended })
	}
	if w.Rank() != 0 {
		buf = make([]byte, size[0])
	}
	r.block = buf
	if err := w.Share(0, "input", "", buf, nil); err != nil {
		return err
	}
	if size[0] < 1<<20 {
		return io.EOF
	}
	return nil
}

// Close closes all devices and, if a launcher has started several ranks, waits for the others and
// ends MPI. A program that runs over several ranks must call Close at its end, on every
// rank, unless it fails: a launcher takes a process that ends without it for one that has
// failed, and one that ends with an exit code other than 0 ends all. Devices cannot be used
// afterwards.
func Close() error {
	devs, _ := opened.all()
	var errs []error
	for _, d := range slices.Clone(devs) {
		errs = append(errs, d.Close())
	}
	w := ranks.world
	if w == nil || ranks.err != nil {
		return errors.Join(errs...)
	}
	if err := errors.Join(append(errs, w.Close())...); err != nil {
		return err
	}
	return mpi.Finish()
}

// note adds a call to those that all ranks make.
func (d *Device) note(what string, count int64) {
	if d.joint != nil {
		d.joint.Note(what, count)
	}
}

// Joint reports whether the device is used by several processes, its ranks, which make the same
// calls. The host must then read its memory with Read, even on a native device.
func (d *Device) Joint() bool { return d != nil && d.joint != nil }

// Ghost reports whether another rank has the device.
func (d *Device) Ghost() bool { return d.joint != nil && d.joint.Ghost() }

// Rank returns the rank that has the device.
func (d *Device) Rank() int {
	if d.joint == nil {
		return Rank()
	}
	return d.joint.Owner()
}

// Natively calls f, which computes on a native device in several steps and reads its memory
// between them: only on the rank that has the device. An error of f is then one of the device. If
// f computes values for the host, it fills result, whose bytes all ranks get.
func (d *Device) Natively(label string, result []byte, f func() error) error {
	if d.joint == nil {
		return f()
	}
	d.joint.Note(label, 0)
	if !d.joint.Ghost() {
		d.joint.Keep(d.inside(f))
	}
	if result == nil {
		return d.outcome(label)
	}
	return d.joint.Same(label, result)
}

// inside calls f on the rank that has the device. What f launches and allocates returns its errors to
// f. Without the memory of a buffer, f is not called, because it might read it.
func (d *Device) inside(f func() error) error {
	if err := d.joint.Lacking(); err != nil {
		return err
	}
	defer d.joint.Quiet()()
	d.natively.Store(true)
	defer d.natively.Store(false)
	return f()
}

// keeps reports whether errors of the device that only this rank sees are kept until all see them.
func (d *Device) keeps() bool { return d.joint != nil && !d.natively.Load() }

// outcome returns the error of a call, on all ranks, if the device is in checked mode. Otherwise
// it waits until the device is read.
func (d *Device) outcome(label string) error {
	if !d.checked.Load() || d.joint.IsQuiet() {
		return nil
	}
	return d.joint.Same(label, nil)
}

// Quietly begins calls that depend on what the garbage collector has found, which may differ from
// rank to rank. They end with the function that it returns.
func (d *Device) Quietly() (end func()) {
	if d == nil || d.joint == nil {
		return func() {}
	}
	return d.joint.Quiet()
}

// packed is a type of error that is sent to other ranks.
type packed struct {
	Check  *CheckError  `json:",omitempty"`
	Memory *MemoryError `json:",omitempty"`
	Full   bool         `json:",omitempty"` // Memory.Err is driver.ErrMemory
}

func packError(err error) []byte {
	var p packed
	if c, ok := errors.AsType[*CheckError](err); ok {
		copied := *c
		copied.Err = nil
		p.Check = &copied
	} else if m, ok := errors.AsType[*MemoryError](err); ok {
		copied := *m
		copied.Err = nil
		p.Memory, p.Full = &copied, errors.Is(err, driver.ErrMemory)
	} else {
		return nil
	}
	text, _ := json.Marshal(p) // plain values
	return text
}

func unpackError(text []byte) error {
	var p packed
	switch err := json.Unmarshal(text, &p); {
	case err != nil:
		return nil
	case p.Check != nil:
		return p.Check
	case p.Memory != nil:
		if p.Full {
			p.Memory.Err = driver.ErrMemory
		}
		return p.Memory
	}
	return nil
}
