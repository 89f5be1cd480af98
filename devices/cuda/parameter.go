package cuda

import (
	"errors"
	"fmt"

	"github.com/skelgo/skelgo/devices/driver"
)

const pointerSize = 8

// set sets the kernel's arguments and checks them. CUDA does not: it reads as
// many bytes as the parameters have.
func (k *Kernel) set(args []driver.Arg) error {
	if k.params == nil {
		k.prepare(args)
	}
	if len(args) != k.call.Len() {
		return fmt.Errorf("%d arguments for %d parameters", len(args), k.call.Len())
	}
	for i := range args {
		if err := k.setOne(i, &args[i]); err != nil {
			return fmt.Errorf("argument %d: %w", i, err)
		}
	}
	return nil
}

func (k *Kernel) setOne(i int, a *driver.Arg) error {
	size := k.call.Size(i)
	if a.Buf == nil {
		switch {
		case a.Size == 0:
			return errors.New("neither a buffer nor a value")
		case a.Size != size:
			return fmt.Errorf("a value of %d bytes for a parameter of %d", a.Size, size)
		case a.Data != nil:
			k.call.SetBytes(i, a.Data)
		default:
			k.call.SetBits(i, a.Bits)
		}
		return nil
	}
	b, ok := a.Buf.(*Buffer)
	switch {
	case !ok || b.dev != k.dev:
		return fmt.Errorf("a buffer of another device (%T)", a.Buf)
	case b.freed.Load():
		return errors.New("a freed buffer")
	case size != pointerSize:
		return fmt.Errorf("a buffer for a value of %d bytes", size)
	}
	k.call.SetPtr(i, b.ptr)
	return nil
}

// prepare allocates room for arguments of the given sizes if CUDA does not
// report the sizes of parameters.
func (k *Kernel) prepare(args []driver.Arg) {
	same := k.call != nil && k.call.Len() == len(args)
	sizes := make([]int, len(args))
	for i := range args {
		if sizes[i] = args[i].Size; args[i].Buf != nil {
			sizes[i] = pointerSize
		}
		same = same && k.call.Size(i) == sizes[i]
	}
	if !same {
		k.call = k.fn.NewCall(sizes...)
	}
}
