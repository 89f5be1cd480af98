package baseline

import (
	"errors"
	"slices"
	"time"

	"github.com/skelgo/skelgo/devices/opencl/cl"
)

// finish waits for the kernels, so that their time does not count as a transfer.
func (p *Program) finish() error {
	err := p.queue.Finish()
	p.Lap("kernel")
	return err
}

// Kernel is the time of a kernel in an iteration.
type Kernel struct {
	Name     string
	Launches int           // in an iteration
	Bytes    float64       // that all of them read and write
	Time     time.Duration // of all of them
}

// Profile runs one iteration from labels and returns the times of its kernels, measured by the
// device.
func (p *Program) Profile(labels []int32) (kernels []Kernel, err error) {
	queue, err := p.context.CreateCommandQueue(p.device, cl.QueueProfilingEnable)
	if err != nil {
		return nil, err
	}
	before := p.queue
	p.queue = queue
	var events []*cl.Event
	launches := map[*cl.Event]string{}
	p.Record = func(kernel string) *cl.Event {
		ev := new(cl.Event)
		events, launches[ev] = append(events, ev), kernel
		return ev
	}
	defer func() {
		p.queue, p.Record = before, nil
		for _, ev := range events {
			err = errors.Join(err, ev.Release())
		}
		err = errors.Join(err, queue.Release())
	}()
	if _, err := p.Run(labels, 1); err != nil { // the start is an M-step
		return nil, err
	}
	for _, name := range names {
		k := Kernel{Name: name}
		for _, ev := range events {
			if launches[ev] != name {
				continue
			}
			took, err := ev.Elapsed()
			if err != nil {
				return nil, err
			}
			k.Launches, k.Time = k.Launches+1, k.Time+took
		}
		if k.Launches > 0 {
			k.Bytes = p.bytes(name) * float64(k.Launches)
			kernels = append(kernels, k)
		}
	}
	return slices.Clip(kernels), nil
}

// bytes returns the bytes that a launch of a kernel must read and write, on average. Where they
// grow with the rows, those that do not are left out; tiles that are read twice count once.
func (p *Program) bytes(kernel string) float64 {
	row := 8 * float64(p.n)
	points, components := row*float64(p.p), row*float64(p.g)
	switch kernel {
	case "subtract", "product", "swap":
		return 2 * points
	case "row_products":
		return 2*points + row
	case "densities", "weights", "sum_products":
		return 2 * components
	case "row_sums":
		return components + row
	case "posteriors":
		return 2*components + row
	case "multiply", "statistic":
		return 3 * components
	case "smx":
		return 2*points + row
	case "column_products": // the products with x and with m on average
		return (components + points + float64(p.g)*points) / float64(p.g+1)
	case "sum_columns":
		return row // of the log-likelihood
	case "add_partial":
		return 8 * (parts + 1) * float64(p.p*(p.g+p.g*p.p)) / float64(p.g+1)
	}
	return 0
}
