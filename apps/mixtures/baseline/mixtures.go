package baseline

import (
	_ "embed" // the kernels
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/skelgo/skelgo/devices/opencl/cl"
)

//go:embed mixtures.cl
var source string

// Streams is the number of command queues, each with a thread of the host.
const Streams = 4

// group is the size of work-groups.
const group = 256

// Component is a component: its weight, mean and shape.
type Component struct{ Alpha, Mu, Lambda float64 }

// Program fits mixtures on one device.
type Program struct {
	objects []interface{ Release() error }
	device  *cl.Device
	context *cl.Context
	program *cl.Program
	streams [Streams]stream
	sets    [][]float64
	m       int
}

// stream is a command queue with its kernels and buffers.
type stream struct {
	queue                 *cl.CommandQueue
	member, sum           *cl.Kernel
	x, theta, terms, sums *cl.MemObject
}

// Open prepares OpenCL device number n, counted over all platforms.
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
	for i := range p.streams {
		if p.streams[i].queue, err = p.context.CreateCommandQueue(p.device, 0); err != nil {
			return nil, errors.Join(err, p.Close())
		}
		p.objects = append(p.objects, p.streams[i].queue)
	}
	return p, nil
}

// Build compiles the kernels.
func (p *Program) Build() (err error) {
	if p.program, err = p.context.CreateProgramWithSource(source); err != nil {
		return err
	}
	p.objects = append(p.objects, p.program)
	if err := p.program.Build("-cl-std=CL1.2"); err != nil {
		return err
	}
	for i := range p.streams {
		s := &p.streams[i]
		if s.member, err = p.program.CreateKernel("member_prob"); err != nil {
			return err
		}
		p.objects = append(p.objects, s.member)
		if s.sum, err = p.program.CreateKernel("lp_sum"); err != nil {
			return err
		}
		p.objects = append(p.objects, s.sum)
	}
	return nil
}

// Upload takes the data sets, and makes buffers for mixtures of m components. The data sets
// are copied to the device one by one, when they are fitted.
func (p *Program) Upload(sets [][]float64, m int) (err error) {
	p.sets, p.m = sets, m
	n := 0
	for _, x := range sets {
		n = max(n, len(x))
	}
	for i := range p.streams {
		s := &p.streams[i]
		for _, b := range []struct {
			to   **cl.MemObject
			size int
		}{{&s.x, n}, {&s.theta, 3 * m}, {&s.terms, n * (1 + 3*m)}, {&s.sums, 1 + 3*m}} {
			if *b.to, err = p.context.CreateBuffer(cl.MemReadWrite, int64(b.size)*8, nil); err != nil {
				return err
			}
			p.objects = append(p.objects, *b.to)
		}
	}
	return nil
}

// Run iterates each fit from the given components, and returns the components and the
// log-likelihood of each data set.
func (p *Program) Run(first []Component, iterations int) ([][]Component, []float64, error) {
	fits, logLik := make([][]Component, len(p.sets)), make([]float64, len(p.sets))
	var errs [Streams]error
	var next atomic.Int64
	var wait sync.WaitGroup
	for i := range p.streams {
		wait.Go(func() {
			for errs[i] == nil {
				set := int(next.Add(1)) - 1
				if set >= len(p.sets) {
					return
				}
				fits[set] = slices.Clone(first)
				logLik[set], errs[i] = p.streams[i].fit(p.sets[set], fits[set], iterations)
			}
		})
	}
	wait.Wait()
	return fits, logLik, errors.Join(errs[:]...)
}

// fit iterates from the components c, which it changes, and returns their log-likelihood.
func (s *stream) fit(x []float64, c []Component, iterations int) (float64, error) {
	n, m := len(x), len(c)
	if err := s.queue.EnqueueWriteBuffer(s.x, true, 0, cl.Bytes(x), nil, nil); err != nil {
		return 0, err
	}
	global := []int{(n + group - 1) / group * group}
	sums := make([]float64, 1+3*m)
	for iteration := 0; ; iteration++ {
		if err := s.queue.EnqueueWriteBuffer(s.theta, true, 0, cl.Bytes(c), nil, nil); err != nil {
			return 0, err
		}
		if err := s.member.SetArgs(s.x, int32(n), int32(m), s.theta, s.terms); err != nil {
			return 0, err
		}
		if err := s.queue.EnqueueNDRangeKernel(s.member, nil, global, []int{group}, nil, nil); err != nil {
			return 0, err
		}
		if err := s.add(n, 0, 1); err != nil { // the log-likelihood
			return 0, err
		}
		for k := range c {
			if err := s.add(n, 1+3*k, 3); err != nil {
				return 0, err
			}
		}
		if err := s.queue.EnqueueReadBuffer(s.sums, true, 0, cl.Bytes(sums), nil, nil); err != nil {
			return 0, err
		}
		if iteration == iterations {
			return sums[0], nil
		}
		for k := range c {
			z := sums[1+3*k:]
			c[k] = Component{z[0] / float64(n), z[1] / z[0], z[0] / z[2]}
		}
	}
}

// add adds the elements of count arrays.
func (s *stream) add(n, first, count int) error {
	if err := s.sum.SetArgs(s.terms, int32(n), int32(first), int32(count), s.sums); err != nil {
		return err
	}
	return s.queue.EnqueueNDRangeKernel(s.sum, nil, []int{group}, []int{group}, nil, nil)
}

// Close releases all objects, the newest first.
func (p *Program) Close() (err error) {
	for _, object := range slices.Backward(p.objects) {
		err = errors.Join(err, object.Release())
	}
	return err
}
