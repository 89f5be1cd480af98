package cl_test

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices/opencl/cl"
)

func TestTransfers(t *testing.T) {
	ctx, q := opened(t)
	a, b := buffer(t, ctx, 256, nil), buffer(t, ctx, 256, bytes.Repeat([]byte{9}, 256))
	must(t, q.EnqueueWriteBuffer(a, true, 10, []byte("skeleton"), nil, nil))
	must(t, q.EnqueueCopyBuffer(a, b, 10, 100, 8, nil, nil))
	must(t, q.EnqueueFillBuffer(b, []byte{1, 2}, 104, 2, nil, nil))
	got := make([]byte, 12)
	must(t, q.EnqueueReadBuffer(b, true, 98, got, nil, nil))
	if want := []byte("\x09\x09skel\x01\x02on\x09\x09"); !bytes.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNonBlocking(t *testing.T) {
	ctx, q := opened(t)
	const n = 1 << 20
	m := buffer(t, ctx, n, nil)
	if err := q.EnqueueWriteBuffer(m, false, 0, make([]byte, n), nil, nil); !errors.Is(err, cl.InvalidEvent) {
		t.Errorf("a non-blocking write without an event: %v", err)
	}
	var events [8]cl.Event
	for i := range 4 { // only the event keeps the memory alive
		must(t, q.EnqueueWriteBuffer(m, false, 0, bytes.Repeat([]byte{byte(i)}, n), nil, &events[i]))
	}
	runtime.GC()
	got := make([]byte, n)
	must(t, q.EnqueueReadBuffer(m, false, 0, got, []*cl.Event{&events[3]}, &events[4]))
	must(t, q.Flush())
	must(t, cl.WaitForEvents(&events[3], &events[4]))
	if want := bytes.Repeat([]byte{3}, n); !bytes.Equal(got, want) {
		t.Errorf("got %v..., want 3s", got[:4])
	}
	if err := q.EnqueueMarker(nil, &events[4]); !errors.Is(err, cl.InvalidEvent) {
		t.Errorf("an event used twice: %v", err)
	}
	must(t, q.EnqueueBarrier(nil, nil))
	must(t, q.EnqueueMarker(nil, &events[5]))
	must(t, events[5].Wait())
	if s, err := events[5].Status(); s != cl.Complete || err != nil {
		t.Errorf("status %d, %v", s, err)
	}
	for i := range events {
		must(t, events[i].Release())
		must(t, events[i].Release())
	}
}

func TestRangesAreChecked(t *testing.T) {
	ctx, q := opened(t)
	m := buffer(t, ctx, 16, nil)
	for _, err := range []error{
		q.EnqueueWriteBuffer(m, true, 10, make([]byte, 7), nil, nil),
		q.EnqueueReadBuffer(m, true, 17, make([]byte, 1), nil, nil),
		q.EnqueueCopyBuffer(m, m, 0, 8, 9, nil, nil),
		q.EnqueueCopyBuffer(m, m, 0, 4, 8, nil, nil), // overlap
	} {
		var e *cl.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), "of a buffer of 16") {
			t.Errorf("got %v", err)
		}
	}
}

const arguments = `
typedef struct { char a; double b; } pair;
__kernel void arguments(__global double *out, char c, uchar uc, short s, ushort us, int i, uint ui,
                        long l, ulong ul, float f, double d, pair p, __local double *sum) {
	if (get_local_id(0) == 0) *sum = (double)c + uc + s + us + i + ui + l + ul + f + d + p.a + p.b;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0) - get_global_offset(0)] = *sum + get_local_id(0);
}`

func TestArguments(t *testing.T) {
	ctx, q := opened(t)
	k := kernel(t, ctx, "arguments", arguments)
	out := make([]float64, 4)
	m := buffer(t, ctx, 32, nil)
	pair := make([]byte, 16)
	pair[0] = 11
	copy(pair[8:], cl.Bytes([]float64{0.5}))
	must(t, k.SetArgs(m, int8(-1), uint8(2), int16(-3), uint16(4), int32(-5), uint32(6),
		int64(-7), uint64(8), float32(9.5), float64(10.5), pair, cl.Local(8)))
	must(t, q.EnqueueNDRangeKernel(k, []int{8}, []int{4}, []int{2}, nil, nil))
	must(t, q.EnqueueReadBuffer(m, true, 0, cl.Bytes(out), nil, nil))
	if want := [4]float64{35.5, 36.5, 35.5, 36.5}; [4]float64(out) != want {
		t.Errorf("got %v, want %v", out, want)
	}
	if n, err := k.NumArgs(); n != 13 || err != nil {
		t.Errorf("%d arguments, %v", n, err)
	}
	if name, err := k.Info(cl.KernelFunctionName); name != "arguments" || err != nil || k.Name() != name {
		t.Errorf("name %q, %v", name, err)
	}
	for _, p := range []cl.WorkGroupParam{cl.KernelWorkGroupSize, cl.KernelPreferredWorkGroupSizeMultiple,
		cl.KernelLocalMemSize} {
		if v, err := k.WorkGroupInfo(ctx.Devices()[0], p); err != nil || len(v) != 1 || v[0] < 1 {
			t.Errorf("work-group info %#x: %v, %v", p, v, err)
		}
	}
	if a, err := k.ArgInfo(0); err != nil && !errors.Is(err, cl.KernelArgInfoNotAvailable) ||
		err == nil && a != (cl.ArgInfo{Address: cl.ArgGlobal, Type: "double*", Name: "out"}) {
		t.Errorf("argument 0 is %+v, %v", a, err)
	}
	for _, v := range []any{7, "x", float32(1)} { // the last one has the wrong size for argument 10
		if err := k.SetArg(10, v); err == nil {
			t.Errorf("argument %T accepted for a double", v)
		}
	}
	if err := k.SetArg(99, int32(1)); !errors.Is(err, cl.InvalidArgIndex) {
		t.Errorf("argument 99: %v", err)
	}
	if err := q.EnqueueNDRangeKernel(k, nil, []int{4}, []int{2, 2}, nil, nil); !errors.Is(err,
		cl.InvalidWorkDimension) {
		t.Errorf("sizes of different dimensions: %v", err)
	}
	if err := q.EnqueueNDRangeKernel(k, nil, []int{5}, []int{2}, nil, nil); !errors.Is(err, cl.InvalidWorkGroupSize) {
		t.Errorf("5 work-items in groups of 2: %v", err)
	}
}

func TestSubBuffer(t *testing.T) {
	ctx, q := opened(t)
	align, err := ctx.Devices()[0].InfoUint(cl.DeviceMemBaseAddrAlign)
	must(t, err)
	off := int64(align) / 8
	m := buffer(t, ctx, 2*off, make([]byte, 2*off))
	s, err := m.CreateSubBuffer(0, off, off)
	must(t, err)
	defer s.Release()
	must(t, q.EnqueueWriteBuffer(s, true, 1, []byte{5}, nil, nil))
	got := make([]byte, 1)
	must(t, q.EnqueueReadBuffer(m, true, off+1, got, nil, nil))
	if got[0] != 5 || s.Size() != off {
		t.Errorf("got %d, size %d", got[0], s.Size())
	}
	if _, err := m.CreateSubBuffer(0, off, off+1); err == nil {
		t.Error("a sub-buffer that exceeds its buffer was accepted")
	}
}

func TestProfile(t *testing.T) {
	ctx, q := opened(t)
	m := buffer(t, ctx, 1<<20, nil)
	var ev cl.Event
	must(t, q.EnqueueFillBuffer(m, []byte{0}, 0, 1<<20, nil, &ev))
	defer ev.Release()
	must(t, ev.Wait())
	p, err := ev.Profile()
	must(t, err)
	if p.Queued > p.Submit || p.Submit > p.Start || p.Start > p.End {
		t.Errorf("out of order: %+v", p)
	}
	if took, err := ev.Elapsed(); err != nil || took != p.Elapsed() {
		t.Errorf("%v and %v, %v", took, p.Elapsed(), err)
	}
}

func TestBufferErrors(t *testing.T) {
	ctx, _ := opened(t)
	for name, make := range map[string]func() (*cl.MemObject, error){
		"-1 bytes":    func() (*cl.MemObject, error) { return ctx.CreateBuffer(cl.MemReadWrite, -1, nil) },
		"0 bytes":     func() (*cl.MemObject, error) { return ctx.CreateBuffer(cl.MemReadWrite, 0, nil) },
		"of a buffer": func() (*cl.MemObject, error) { return ctx.CreateBuffer(cl.MemReadWrite, 9, make([]byte, 8)) },
		"Go memory":   func() (*cl.MemObject, error) { return ctx.CreateBuffer(cl.MemUseHostPtr, 8, make([]byte, 8)) },
	} {
		if _, err := make(); err == nil ||
			!strings.Contains(err.Error(), name) && !strings.Contains(err.Error(), "for a buffer") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

const nothing = `__kernel void nothing(__global int *p, long n) {}`

// BenchmarkEnqueue measures an enqueue with its arguments, which must cost the
// same as in C and create no garbage. Events, profiling and flushes are cheap
// on some implementations and expensive on others.
func BenchmarkEnqueue(b *testing.B) {
	for _, profiling := range []cl.QueueProperties{0, cl.QueueProfilingEnable} {
		for _, event := range []bool{false, true} {
			for _, flush := range []bool{false, true} {
				name := fmt.Sprintf("profiling=%t/event=%t/flush=%t", profiling != 0, event, flush)
				b.Run(name, func(b *testing.B) { enqueue(b, profiling, event, flush) })
			}
		}
	}
}

func enqueue(b *testing.B, properties cl.QueueProperties, event, flush bool) {
	ctx, _ := opened(b)
	q, err := ctx.CreateCommandQueue(ctx.Devices()[0], properties)
	must(b, err)
	defer q.Release()
	k := kernel(b, ctx, "nothing", nothing)
	m := buffer(b, ctx, 16, nil)
	global, local, arg := []int{64}, []int{64}, make([]byte, 8)
	var events [500]cl.Event
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		must(b, k.SetArgBuffer(0, m))
		must(b, k.SetArgBytes(1, arg))
		var ev *cl.Event
		if event {
			ev = &events[i%500]
			must(b, ev.Release())
		}
		must(b, q.EnqueueNDRangeKernel(k, nil, global, local, nil, ev))
		if flush {
			must(b, q.Flush())
		}
		if i%500 == 499 {
			must(b, q.Finish())
		}
	}
	must(b, q.Finish())
	for i := range events {
		must(b, events[i].Release())
	}
}

func BenchmarkRoundTrip(b *testing.B) {
	ctx, q := opened(b)
	k := kernel(b, ctx, "nothing", nothing)
	must(b, k.SetArgs(buffer(b, ctx, 16, nil), int64(0)))
	global, local := []int{64}, []int{64}
	b.ReportAllocs()
	for b.Loop() {
		must(b, q.EnqueueNDRangeKernel(k, nil, global, local, nil, nil))
		must(b, q.Finish())
	}
}
