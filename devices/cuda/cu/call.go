package cu

import (
	"runtime"
	"unsafe"
)

var cuLaunchKernel = driver.Func("cuLaunchKernel")

// Dim3 is the extent of a grid or a block; 0 means 1.
type Dim3 struct{ X, Y, Z int }

// Call is a prepared launch of a kernel: it holds the arguments, and enqueueing
// it allocates nothing. It may be launched repeatedly, with arguments changed
// in between, but only by one goroutine at a time.
type Call struct {
	fn     *Function
	block  []byte           // the arguments, each at a multiple of 16
	params []unsafe.Pointer // kernelParams: the addresses of the arguments
	sizes  []int
	list   [11]uintptr // of cuLaunchKernel
}

const argAlign = 16 // the maximum alignment of a parameter

// NewCall prepares a launch with arguments of the given sizes in bytes.
func (f *Function) NewCall(sizes ...int) *Call {
	c := &Call{fn: f, sizes: append([]int{}, sizes...)}
	n := argAlign
	for _, s := range sizes {
		n += (s + argAlign - 1) &^ (argAlign - 1)
	}
	words := make([]uint64, n/8)
	c.block = Bytes(words)
	at := 0
	if uintptr(unsafe.Pointer(&c.block[0]))%argAlign != 0 {
		at = 8
	}
	c.params = make([]unsafe.Pointer, len(sizes), len(sizes)+1)
	for i, s := range sizes {
		c.params[i] = unsafe.Pointer(&c.block[at])
		at += (s + argAlign - 1) &^ (argAlign - 1)
	}
	return c
}

// Len returns the number of arguments.
func (c *Call) Len() int { return len(c.params) }

// Size returns the size of argument i in bytes.
func (c *Call) Size(i int) int { return c.sizes[i] }

// SetPtr sets argument i, of 8 bytes, to an address.
func (c *Call) SetPtr(i int, p DevicePtr) { c.SetBits(i, uint64(p)) }

// SetBits sets argument i, of 1 to 8 bytes, to the low bytes of bits.
func (c *Call) SetBits(i int, bits uint64) {
	p := c.params[i]
	switch c.sizes[i] {
	case 8:
		*(*uint64)(p) = bits
	case 4:
		*(*uint32)(p) = uint32(bits)
	default:
		for j := range min(8, c.sizes[i]) {
			*(*byte)(unsafe.Add(p, j)) = byte(bits >> (8 * j))
		}
	}
}

// SetBytes sets argument i to v, which is copied.
func (c *Call) SetBytes(i int, v []byte) { copy(unsafe.Slice((*byte)(c.params[i]), c.sizes[i]), v) }

// Args returns the bytes of argument i.
func (c *Call) Args(i int) []byte { return unsafe.Slice((*byte)(c.params[i]), c.sizes[i]) }

// Launch enqueues the kernel. CUDA copies the arguments before it returns.
// shared is the number of bytes of dynamic shared memory for each block.
func (c *Call) Launch(s *Stream, grid, block Dim3, shared int) error {
	var params uintptr
	if len(c.params) > 0 {
		params = uintptr(unsafe.Pointer(unsafe.SliceData(c.params))) // on the heap, and c keeps it alive
	}
	c.list = [11]uintptr{
		c.fn.h,
		uintptr(max(grid.X, 1)), uintptr(max(grid.Y, 1)), uintptr(max(grid.Z, 1)),
		uintptr(max(block.X, 1)), uintptr(max(block.Y, 1)), uintptr(max(block.Z, 1)),
		uintptr(shared), s.h, params, 0,
	}
	err := c.fn.ctx.callList(cuLaunchKernel, c.list[:])
	runtime.KeepAlive(c)
	if err != nil {
		return detail(err, "kernel %s, grid %v, block %v, %d bytes of dynamic shared memory",
			c.fn.name, grid, block, shared)
	}
	return nil
}
