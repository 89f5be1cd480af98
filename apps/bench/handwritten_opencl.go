package bench

import (
	_ "embed" // the kernels
	"errors"
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/devices/opencl/cl"
)

//go:embed kernels.cl
var kernelSource string

// raw runs the hand-written kernels, on buffers that stay on the device.
type raw struct {
	held            []interface{ Release() error }
	n, units        int
	context         *cl.Context
	queue           *cl.CommandQueue
	program         *cl.Program
	x, y, out, part *cl.MemObject
}

const (
	chunksPerUnit = 4   // work-items that share the elements, for each compute unit
	lanes         = 256 // work-items in a group, where each has one element
)

// openRaw prepares OpenCL device number index, counted over all platforms.
func openRaw(index int, x, y []float32) (_ *raw, err error) {
	r := &raw{n: len(x)}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.close())
		}
	}()
	platforms, err := cl.Platforms()
	if err != nil {
		return nil, err
	}
	var devices []*cl.Device
	for _, p := range platforms {
		d, err := p.Devices(cl.DeviceTypeAll)
		if err != nil {
			return nil, err
		}
		devices = append(devices, d...)
	}
	if index >= len(devices) {
		return nil, fmt.Errorf("no OpenCL device %d: there are %d", index, len(devices))
	}
	units, err := devices[index].InfoUint(cl.DeviceMaxComputeUnits)
	if err != nil {
		return nil, err
	}
	r.units = int(units)
	if r.context, err = cl.CreateContext(devices[index]); err != nil {
		return nil, err
	}
	r.hold(r.context)
	if r.queue, err = r.context.CreateCommandQueue(devices[index], 0); err != nil {
		return nil, err
	}
	r.hold(r.queue)
	if r.program, err = r.context.CreateProgramWithSource(kernelSource); err != nil {
		return nil, err
	}
	r.hold(r.program)
	if err := r.program.Build("-cl-std=CL1.2"); err != nil {
		return nil, err
	}
	for _, b := range []struct {
		buffer **cl.MemObject
		host   []float32
	}{{&r.x, x}, {&r.y, y}, {&r.out, make([]float32, len(x))}, {&r.part, make([]float32, r.chunks())}} {
		if *b.buffer, err = r.context.CreateBuffer(cl.MemReadWrite, int64(len(b.host))*4, nil); err != nil {
			return nil, err
		}
		r.hold(*b.buffer)
		if err := r.queue.EnqueueWriteBuffer(*b.buffer, true, 0, cl.Bytes(b.host), nil, nil); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func (r *raw) hold(object interface{ Release() error }) { r.held = append(r.held, object) }

func (r *raw) close() (err error) {
	for _, object := range slices.Backward(r.held) {
		err = errors.Join(err, object.Release())
	}
	return err
}

func (r *raw) chunks() int { return r.units * chunksPerUnit }

// step is one launch of a kernel.
type step struct {
	kernel        *cl.Kernel
	global, local int
}

// step prepares a kernel whose arguments stay the same.
func (r *raw) step(name string, global, local int, args ...any) (step, error) {
	k, err := r.program.CreateKernel(name)
	if err != nil {
		return step{}, err
	}
	r.hold(k)
	return step{k, global, local}, k.SetArgs(args...)
}

// run enqueues the steps.
func (r *raw) run(steps []step) error {
	for _, s := range steps {
		if err := r.queue.EnqueueNDRangeKernel(s.kernel, nil, []int{s.global}, []int{s.local}, nil, nil); err != nil {
			return err
		}
	}
	return nil
}

// elements returns a task whose result is out.
func (r *raw) elements(task, impl string, steps ...step) handWrittenTask {
	return handWrittenTask{task, impl, func() error {
		if err := r.run(steps); err != nil {
			return err
		}
		return r.queue.Finish()
	}, func() ([]float32, error) {
		p := make([]float32, r.n)
		return p, r.queue.EnqueueReadBuffer(r.out, true, 0, cl.Bytes(p), nil, nil)
	}}
}

// number returns a task whose result is the first element of part.
func (r *raw) number(task, impl string, steps ...step) handWrittenTask {
	value := make([]float32, 1)
	return handWrittenTask{task, impl, func() error {
		if err := r.run(steps); err != nil {
			return err
		}
		return r.queue.EnqueueReadBuffer(r.part, true, 0, cl.Bytes(value), nil, nil)
	}, func() ([]float32, error) { return value, nil }}
}

// tasks returns the tasks as hand-written kernels.
func (r *raw) tasks() (all []handWrittenTask, _ error) {
	var errs []error
	prepare := func(name string, global, local int, args ...any) step {
		s, err := r.step(name, global, local, args...)
		errs = append(errs, err)
		return s
	}
	n, chunks := uint64(r.n), r.chunks()
	for _, form := range []struct {
		impl, suffix string
		width        int
	}{{"hand", "", 1}, {"hand16", "_wide", 16}} {
		perGroup := lanes * form.width
		items := (r.n + perGroup - 1) / perGroup * lanes
		all = append(all, r.elements("Map", form.impl, prepare("map"+form.suffix, items, lanes, r.x, r.out, n)))
		all = append(all, r.elements("Zip", form.impl, prepare("zip"+form.suffix, items, lanes, r.x, r.y, r.out, n)))

		reduce := prepare("reduce"+form.suffix, chunks, 1, r.x, r.part, n)
		finish := prepare("finish", 1, 1, r.part, uint64(chunks))
		all = append(all, r.number("Reduce", form.impl, reduce, finish))
		product := prepare("product"+form.suffix, chunks, 1, r.x, r.y, r.part, n)
		all = append(all, r.number("Dot", form.impl, product, finish))
		offsets := prepare("offsets", 1, 1, r.part, uint64(chunks))
		scan := prepare("scan"+form.suffix, chunks, 1, r.x, r.part, r.out, n)
		all = append(all, r.elements("Scan", form.impl, reduce, offsets, scan))
	}
	return all, errors.Join(errs...)
}
