package baseline

import (
	_ "embed" // the kernel
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/skelgo/skelgo/devices/opencl/cl"
)

//go:embed scale.cl
var source string

const (
	group      = 256     // the size of work-groups
	mostGroups = 8       // as in scale.cl
	batch      = 1 << 22 // the number of sets of a launch
)

// Program finds boundaries on one device.
type Program struct {
	objects               []interface{ Release() error } // to be released by Close
	n, k                  int                            // the numbers of objects and of groups
	device                *cl.Device
	context               *cl.Context
	queue                 *cl.CommandQueue
	program               *cl.Program
	count                 *cl.Kernel
	groups, cuts, counted *cl.MemObject
}

// Open opens OpenCL device number n, counted over all platforms.
func Open(n int) (*Program, error) {
	platforms, err := cl.Platforms()
	if err != nil {
		return nil, err
	}
	var devices []*cl.Device
	for _, platform := range platforms {
		d, err := platform.Devices(cl.DeviceTypeAll)
		if err != nil {
			return nil, err
		}
		devices = append(devices, d...)
	}
	if n >= len(devices) {
		return nil, fmt.Errorf("no OpenCL device %d: there are %d", n, len(devices))
	}
	p := &Program{device: devices[n]}
	if p.context, err = cl.CreateContext(p.device); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	p.objects = append(p.objects, p.context)
	if p.queue, err = p.context.CreateCommandQueue(p.device, 0); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	p.objects = append(p.objects, p.queue)
	return p, nil
}

// Build compiles the kernel.
func (p *Program) Build() (err error) {
	if p.program, err = p.context.CreateProgramWithSource(source); err != nil {
		return err
	}
	p.objects = append(p.objects, p.program)
	if err := p.program.Build("-cl-std=CL1.2"); err != nil {
		return err
	}
	if p.count, err = p.program.CreateKernel("count"); err != nil {
		return err
	}
	p.objects = append(p.objects, p.count)
	return nil
}

// Allocate allocates memory for n objects in k groups.
func (p *Program) Allocate(n, k int) (err error) {
	if k < 2 || k > mostGroups {
		return fmt.Errorf("%d groups; there must be from 2 to %d", k, mostGroups)
	}
	p.n, p.k = n, k
	for _, b := range []struct {
		buffer **cl.MemObject
		words  int
	}{{&p.groups, n}, {&p.cuts, n}, {&p.counted, batch}} {
		if *b.buffer, err = p.context.CreateBuffer(cl.MemReadWrite, 4*int64(b.words), nil); err != nil {
			return err
		}
		p.objects = append(p.objects, *b.buffer)
	}
	return nil
}

// ErrTooFew is the error of Run if there are fewer different values than groups.
var ErrTooFew = errors.New("too few different values")

// Run returns the least number of objects that boundaries put into a wrong group, and the first
// such boundaries, which ascend. Object i has a value of the decision function and is in group
// groups[i]; groups are numbered from 0 in the order of their values. Every group gets at least
// one value.
func (p *Program) Run(values []float64, groups []int32) (least int, boundaries []float64, err error) {
	order := make([]int, p.n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case values[a] < values[b]:
			return -1
		case values[a] > values[b]:
			return 1
		}
		return 0
	})
	sorted := make([]int32, p.n)
	var cuts []int32 // the objects before which a boundary can stand
	for at, i := range order {
		sorted[at] = groups[i]
		if at > 0 && values[order[at-1]] < values[i] {
			cuts = append(cuts, int32(at))
		}
	}
	sets := choose(len(cuts), p.k-1)
	if sets == 0 {
		return 0, nil, fmt.Errorf("%w: %d for %d groups", ErrTooFew, len(cuts)+1, p.k)
	}
	if err := p.queue.EnqueueWriteBuffer(p.groups, true, 0, cl.Bytes(sorted), nil, nil); err != nil {
		return 0, nil, err
	}
	if err := p.queue.EnqueueWriteBuffer(p.cuts, true, 0, cl.Bytes(cuts), nil, nil); err != nil {
		return 0, nil, err
	}
	least, best := math.MaxInt, 0
	counted := make([]int32, batch)
	for first := 0; first < sets; first += batch {
		n := min(batch, sets-first)
		if err := p.launch(len(cuts), first, n); err != nil {
			return 0, nil, err
		}
		if err := p.queue.EnqueueReadBuffer(p.counted, true, 0, cl.Bytes(counted[:n]), nil, nil); err != nil {
			return 0, nil, err
		}
		for set, errors := range counted[:n] {
			if int(errors) < least {
				least, best = int(errors), first+set
			}
		}
	}
	for _, place := range members(best, len(cuts), p.k-1) {
		at := cuts[place]
		boundaries = append(boundaries, (values[order[at-1]]+values[order[at]])/2)
	}
	return least, boundaries, nil
}

// launch counts the errors of n sets of boundaries, from the given one on.
func (p *Program) launch(places, first, n int) error {
	if err := p.count.SetArgs(p.groups, int32(p.n), p.cuts, int32(places), int32(p.k), uint64(first), int32(n),
		p.counted); err != nil {
		return err
	}
	all := []int{(n + group - 1) / group * group}
	return p.queue.EnqueueNDRangeKernel(p.count, nil, all, []int{group}, nil, nil)
}

// choose returns the number of ways to choose k of n.
func choose(n, k int) int {
	ways := 1
	for i := range k {
		ways = ways * max(0, n-i) / (i + 1)
	}
	return ways
}

// members returns the k of n places that set number rest has, as scale.cl numbers them.
func members(rest, n, k int) (places []int) {
	for place := 0; k > 0; place++ {
		if ways := choose(n-1-place, k-1); rest >= ways {
			rest -= ways
			continue
		}
		places = append(places, place)
		k--
	}
	return places
}

// Close releases the program's OpenCL objects, the last one first.
func (p *Program) Close() (err error) {
	for _, object := range slices.Backward(p.objects) {
		err = errors.Join(err, object.Release())
	}
	return err
}
