package cu_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/devices/cuda/cu"
	"github.com/skelgo/skelgo/devices/cuda/internal/fakecuda"
)

const saxpyText = `
#define KERNEL extern "C" __global__ void
KERNEL saxpy(float a, const float *x, float *y, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) y[i] = a * x[i] + y[i];
}`

// saxpy computes 2*x + y on the first device.
func saxpy(x, y []float32) (err error) {
	devices, err := cu.Devices()
	if err != nil {
		return err
	}
	ctx, err := devices[0].Retain()
	if err != nil {
		return err
	}
	defer ctx.Release()
	major, minor, err := devices[0].ComputeCapability()
	if err != nil {
		return err
	}
	prog, err := cu.Compile("saxpy.cu", saxpyText, fmt.Sprintf("--gpu-architecture=sm_%d%d", major, minor))
	if err != nil {
		return err
	}
	defer prog.Destroy()
	cubin, err := prog.CUBIN()
	if err != nil {
		return err
	}
	mod, err := ctx.LoadData(cubin)
	if err != nil {
		return err
	}
	defer mod.Unload()
	fn, err := mod.Function("saxpy")
	if err != nil {
		return err
	}
	stream, err := ctx.MakeStream(cu.StreamNonBlocking)
	if err != nil {
		return err
	}
	defer stream.Destroy()
	n := len(x)
	dx, err := ctx.MemAlloc(int64(4 * n))
	if err != nil {
		return err
	}
	defer ctx.MemFree(dx)
	dy, err := ctx.MemAlloc(int64(4 * n))
	if err != nil {
		return err
	}
	defer ctx.MemFree(dy)
	call := fn.NewCall(4, 8, 8, 4)
	call.SetBits(0, uint64(math.Float32bits(2)))
	call.SetPtr(1, dx)
	call.SetPtr(2, dy)
	call.SetBits(3, uint64(n))
	return errors.Join(
		ctx.MemcpyHtoD(dx, cu.Bytes(x)),
		ctx.MemcpyHtoD(dy, cu.Bytes(y)),
		call.Launch(stream, cu.Dim3{X: (n + 255) / 256}, cu.Dim3{X: 256}, 0),
		stream.Synchronize(),
		ctx.MemcpyDtoH(cu.Bytes(y), dy),
	)
}

func ExampleDevice_Retain() {
	x, y := []float32{1, 2, 3}, []float32{10, 20, 30}
	err := saxpy(x, y)
	if errors.Is(err, cu.ErrNoLibrary) || errors.Is(err, cu.ErrorNoDevice) {
		y = []float32{12, 24, 36} // no GPU
	}
	fmt.Println(y)
	// Output: [12 24 36]
}

func ExampleResult() {
	err := error(&cu.Error{Func: "cuMemAlloc_v2", Result: cu.ErrorOutOfMemory, Detail: "17179869184 bytes"})
	fmt.Println(err)
	fmt.Println(errors.Is(err, cu.ErrorOutOfMemory))
	// Output:
	// cuMemAlloc_v2: CUDA_ERROR_OUT_OF_MEMORY (2): 17179869184 bytes
	// true
}

func TestSaxpy(t *testing.T) {
	if _, err := cu.Devices(); err != nil {
		if strings.Contains(os.Getenv("SKEL_REQUIRE"), "cuda") {
			t.Fatal(err)
		}
		t.Skip("no CUDA: ", err)
	}
	testSaxpy(t)
}

func TestSaxpyOnAFake(t *testing.T) {
	fakecuda.Install(t, fakecuda.Options{Memory: 1 << 20,
		Kernels: map[string]fakecuda.Kernel{"saxpy": func(l *fakecuda.Launch) {
			n := l.Int(3)
			a := math.Float32frombits(binary.LittleEndian.Uint32(l.Bytes(0)))
			x, y := l.Memory(1, 4*n), l.Memory(2, 4*n)
			for i := range n {
				f := func(p []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(p[4*i:])) }
				binary.LittleEndian.PutUint32(y[4*i:], math.Float32bits(a*f(x)+f(y)))
			}
		}}})
	testSaxpy(t)
}

func testSaxpy(t *testing.T) {
	x, y, want := []float32{}, []float32{}, []float32{}
	for i := range 1000 {
		x, y = append(x, float32(i)), append(y, 5)
		want = append(want, float32(2*i+5))
	}
	if err := saxpy(x, y); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, y); diff != "" {
		t.Error(diff)
	}
	if left := cu.Live(); left != (cu.Counts{}) {
		t.Errorf("left over: %+v", left)
	}
}

func TestMissingLibraries(t *testing.T) {
	fakecuda.Install(t, fakecuda.Options{NoCUDA: true, NoNVRTC: true})
	if _, err := cu.Devices(); !errors.Is(err, cu.ErrNoLibrary) {
		t.Errorf("Devices: %v", err)
	}
	if _, err := cu.Compile("x.cu", "text"); !errors.Is(err, cu.ErrNoLibrary) {
		t.Errorf("Compile: %v", err)
	}
}

// TestBadImages checks that invalid images never reach CUDA.
func TestBadImages(t *testing.T) {
	c := fakecuda.Install(t, fakecuda.Options{Memory: 1 << 20})
	devs, err := cu.Devices()
	if err != nil {
		t.Fatal(err)
	}
	ctx, err := devs[0].Retain()
	if err != nil {
		t.Fatal(err)
	}
	defer ctx.Release()
	cut := make([]byte, 64)
	copy(cut, "\x7fELF\x02\x01")
	binary.LittleEndian.PutUint64(cut[40:], 1000) // sections past the end
	cut[58], cut[60] = 64, 3
	for name, image := range map[string][]byte{
		"nothing": nil, "short": []byte("\x7fELF"), "garbage": bytes.Repeat([]byte("garbage"), 100), "cut off": cut,
	} {
		if _, err := ctx.LoadData(image); !errors.Is(err, cu.ErrorInvalidImage) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := c.Count("cuModuleLoadData"); n != 0 {
		t.Errorf("CUDA saw %d of them", n)
	}
}

// TestCall checks that arguments of all sizes are where cuLaunchKernel expects
// them.
func TestCall(t *testing.T) {
	sizes := []int{1, 2, 3, 4, 8, 8, 32, 5}
	c := new(cu.Function).NewCall(sizes...)
	c.SetBits(0, 0xfff1)
	c.SetBits(1, 0xfff2f3)
	c.SetBits(2, 0xff040506)
	c.SetBits(3, 0x0708090a)
	c.SetBits(4, 0x1122334455667788)
	c.SetPtr(5, 0xaabb)
	c.SetBytes(6, bytes.Repeat([]byte{9}, 32))
	c.SetBytes(7, []byte("five!"))
	want := [][]byte{
		{0xf1}, {0xf3, 0xf2}, {6, 5, 4}, {10, 9, 8, 7}, {0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11},
		{0xbb, 0xaa, 0, 0, 0, 0, 0, 0}, bytes.Repeat([]byte{9}, 32), []byte("five!"),
	}
	for i := range want {
		if !bytes.Equal(c.Args(i), want[i]) || c.Size(i) != sizes[i] {
			t.Errorf("argument %d is % x, want % x", i, c.Args(i), want[i])
		}
	}
}

// TestNoGarbage checks that a launch, a copy and a wait allocate nothing.
func TestNoGarbage(t *testing.T) {
	if _, err := cu.Devices(); err != nil {
		t.Skip("no CUDA: ", err)
	}
	devs, _ := cu.Devices()
	ctx, err := devs[0].Retain()
	if err != nil {
		t.Fatal(err)
	}
	defer ctx.Release()
	s, err := ctx.MakeStream(cu.StreamNonBlocking)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Destroy()
	e, err := ctx.MakeEvent(cu.EventDisableTiming)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Destroy()
	if n := testing.AllocsPerRun(1000, func() {
		if err := errors.Join(e.Record(s), s.WaitEvent(e), s.Synchronize(), e.Synchronize()); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
