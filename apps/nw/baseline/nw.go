package baseline

import (
	_ "embed" // the kernels
	"errors"
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/devices/opencl/cl"
)

//go:embed nw.cl
var source string

// tile is the number of rows and columns of a tile, as in nw.cl.
const tile = 16

// Program aligns two sequences on one device.
type Program struct {
	objects      []interface{ Release() error } // to be released by Close
	a, b         []byte
	table        []int32 // scores of letters
	letters      int
	gap          int32
	device       *cl.Device
	context      *cl.Context
	queue        *cl.CommandQueue
	program      *cl.Program
	upper, lower *cl.Kernel

	matrix, rows, columns, scores *cl.MemObject
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

// Build compiles the kernels.
func (p *Program) Build() (err error) {
	if p.program, err = p.context.CreateProgramWithSource(source); err != nil {
		return err
	}
	p.objects = append(p.objects, p.program)
	if err := p.program.Build("-cl-std=CL1.2"); err != nil {
		return err
	}
	if p.upper, err = p.program.CreateKernel("upper"); err != nil {
		return err
	}
	p.objects = append(p.objects, p.upper)
	if p.lower, err = p.program.CreateKernel("lower"); err != nil {
		return err
	}
	p.objects = append(p.objects, p.lower)
	return nil
}

// Upload copies two sequences to the device, as codes, and allocates the matrix, whose first
// row and column have the costs of gaps. The score of letters x of a and y of b is
// table[x*letters+y]. The sequences must have the same length, a multiple of 16 above 0.
func (p *Program) Upload(a, b []byte, table []int32, letters int, gap int32) (err error) {
	n := len(a)
	if len(b) != n || n == 0 || n%tile != 0 {
		return fmt.Errorf("sequences of %d and %d letters: they must have the same number, a multiple of %d",
			len(a), len(b), tile)
	}
	p.a, p.b, p.table, p.letters, p.gap = a, b, table, letters, gap
	h := make([]int32, (n+1)*(n+1))
	for i := range n + 1 {
		h[i], h[i*(n+1)] = -gap*int32(i), -gap*int32(i)
	}
	for _, b := range []struct {
		buffer **cl.MemObject
		flags  cl.MemFlags
		data   []byte
	}{
		{&p.matrix, cl.MemReadWrite, cl.Bytes(h)},
		{&p.rows, cl.MemReadOnly, a},
		{&p.columns, cl.MemReadOnly, b},
		{&p.scores, cl.MemReadOnly, cl.Bytes(table)},
	} {
		if *b.buffer, err = p.context.CreateBuffer(b.flags, int64(len(b.data)), nil); err != nil {
			return err
		}
		p.objects = append(p.objects, *b.buffer)
		if err := p.queue.EnqueueWriteBuffer(*b.buffer, true, 0, b.data, nil, nil); err != nil {
			return err
		}
	}
	return nil
}

// Run computes the matrix on the device, diagonal by diagonal.
func (p *Program) Run() error {
	tiles := len(p.a) / tile
	for _, k := range []*cl.Kernel{p.upper, p.lower} {
		if err := k.SetArgs(p.matrix, p.rows, p.columns, p.scores, int32(p.letters), p.gap, int32(tiles)); err != nil {
			return err
		}
	}
	for n := 1; n <= tiles; n++ {
		if err := p.diagonal(p.upper, n); err != nil {
			return err
		}
	}
	for n := tiles - 1; n >= 1; n-- {
		if err := p.diagonal(p.lower, n); err != nil {
			return err
		}
	}
	return p.queue.Finish()
}

// diagonal computes a diagonal of n tiles.
func (p *Program) diagonal(k *cl.Kernel, n int) error {
	return p.queue.EnqueueNDRangeKernel(k, nil, []int{n * tile}, []int{tile}, nil, nil)
}

// Download copies the matrix to the host, row by row, with the row and the column of gaps.
func (p *Program) Download() ([]int32, error) {
	h := make([]int32, (len(p.a)+1)*(len(p.b)+1))
	return h, p.queue.EnqueueReadBuffer(p.matrix, true, 0, cl.Bytes(h), nil, nil)
}

// Path finds an alignment with the best score, from the end to the beginning. Among equal
// scores it prefers two letters, then a gap in b, then a gap in a.
func (p *Program) Path(h []int32) (path align.Cigar) {
	cols := len(p.b) + 1
	for i, j := len(p.a), len(p.b); i > 0 || j > 0; {
		var op align.Op
		at := i*cols + j
		switch {
		case i > 0 && j > 0 && h[at] == h[at-cols-1]+p.table[int(p.a[i-1])*p.letters+int(p.b[j-1])]:
			op, i, j = align.Aligned, i-1, j-1
		case i > 0 && h[at] == h[at-cols]-p.gap:
			op, i = align.Delete, i-1
		default:
			op, j = align.Insert, j-1
		}
		path.Add(op, 1)
	}
	path.Reverse()
	return path.Resolve(p.a, p.b)
}

// Close releases the program's OpenCL objects, the last one first.
func (p *Program) Close() (err error) {
	for _, object := range slices.Backward(p.objects) {
		err = errors.Join(err, object.Release())
	}
	return err
}
