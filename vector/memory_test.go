package vector_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/cuda/cu"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/opencl/cl"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// TestForeignKernel calls OpenCL or CUDA directly, in skelgo's context and on skelgo's memory:
// a kernel of the program doubles a vector that a skeleton has computed. A pending expression
// over the vector keeps the old values.
func TestForeignKernel(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		var double func(t *testing.T, d *devices.Device, mem *devices.Buffer, n int)
		switch {
		case strings.HasPrefix(d.ID(), "opencl"):
			double = doubleOpenCL
		case strings.HasPrefix(d.ID(), "cuda") && d.Info().Platform == "CUDA":
			double = doubleCUDA
		case d.Native():
			double = func(_ *testing.T, _ *devices.Device, mem *devices.Buffer, n int) {
				for i, x := range driver.Slice[int32](mem.Bytes())[:n] {
					driver.Slice[int32](mem.Bytes())[i] = 2 * x
				}
			}
		default:
			t.Skip("this device has no library that a program can call")
		}
		x := vector.From([]int32{1, 2, 3, 4, 5}, vector.Single(d))
		y := vector.From([]int32{0, 0, 0, 0, 0}, vector.Single(d))
		if err := y.CopyFrom(addOne.Apply(x)); err != nil {
			t.Fatal(err)
		}
		pending := addOne.Apply(y)
		mem, err := y.OutMemory()
		if err != nil {
			t.Fatal(err)
		}
		double(t, d, mem, y.Len())
		for name, c := range map[string]struct {
			v    *vector.Vector[int32]
			want []int32
		}{"changed": {y, []int32{4, 6, 8, 10, 12}}, "pending": {pending, []int32{3, 4, 5, 6, 7}}} {
			if got, err := c.v.Host(); err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%s: %v, %v; want %v", name, got, err, c.want)
			}
		}
	})
}

func doubleOpenCL(t *testing.T, d *devices.Device, mem *devices.Buffer, n int) {
	t.Helper()
	ok := okOf(t)
	before := cl.Live()
	queue, err := cl.RetainCommandQueue(d.Handle())
	ok(err)
	ctx, err := queue.Context()
	ok(err)
	buf, err := cl.RetainMemObject(mem.Handle())
	ok(err)
	of, err := buf.Context()
	ok(err)
	if of.Handle() != ctx.Handle() || buf.Size() < int64(4*n) || queue.Device().Platform().Name() == "" {
		t.Errorf("context %#x, want %#x; %d bytes, want at least %d", of.Handle(), ctx.Handle(), buf.Size(), 4*n)
	}
	prog, err := ctx.CreateProgramWithSource("kernel void twice(global int *x) { x[get_global_id(0)] *= 2; }")
	ok(err)
	ok(prog.Build(""))
	kernel, err := prog.CreateKernel("twice")
	ok(err)
	ok(kernel.SetArgs(buf))
	ok(queue.EnqueueNDRangeKernel(kernel, nil, []int{n}, nil, nil, nil)) // in the device's own queue
	for _, o := range []interface{ Release() error }{kernel, prog, of, buf, ctx, queue} {
		ok(o.Release())
	}
	if after := cl.Live(); after != before {
		t.Errorf("live objects %+v, want %+v as before", after, before)
	}
}

func doubleCUDA(t *testing.T, d *devices.Device, mem *devices.Buffer, n int) {
	t.Helper()
	ok := okOf(t)
	var k int
	_, err := fmt.Sscanf(d.ID(), "cuda:%d", &k)
	ok(err)
	found, err := cu.Devices()
	ok(err)
	ctx, err := found[k].Retain() // the primary context, which skelgo uses too
	ok(err)
	defer func() { ok(ctx.Release()) }()
	if ctx.Handle() != d.Handle() {
		t.Errorf("primary context %#x, want skelgo's context %#x", ctx.Handle(), d.Handle())
	}
	ok(d.Sync())
	p, host := cu.DevicePtr(mem.Handle()), make([]int32, n)
	ok(ctx.MemcpyDtoH(cu.Bytes(host), p))
	for i := range host {
		host[i] *= 2
	}
	ok(ctx.MemcpyHtoD(p, cu.Bytes(host)))
}

func okOf(t *testing.T) func(error) {
	return func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
}

var addOne = skel.NewMap(func(x int32) int32 { return x + 1 })

func TestMemoryOverSeveralDevices(t *testing.T) {
	one, err := devices.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	two := devicestest.Processors(t, 2)
	v := vector.From([]int32{1, 2, 3, 4}, vector.Block(two...))
	if _, err := v.Memory(); err == nil || !strings.Contains(err.Error(), "To(vector.Single(d))") {
		t.Errorf("error %v, want one that says to move the vector to one device", err)
	}
	if mem, err := v.To(vector.Single(one[0])).Memory(); err != nil || mem.Len() < 16 {
		t.Errorf("after To: error %v, want 16 bytes of memory", err)
	}
}
