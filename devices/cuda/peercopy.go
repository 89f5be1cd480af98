package cuda

import (
	_ "embed" // the kernels

	"github.com/skelgo/skelgo/devices/cuda/cu"
)

// A short copy from another device is a kernel that reads the other device's memory: it and the
// launches that wait for it take 10 us less than with cuMemcpyPeerAsync (docs/performance.md).

//go:embed peercopy.ptx
var peerCopyPTX []byte

// peerCopy holds the kernels that copy words of 16, 4 and 1 bytes. They are loaded when a short
// copy first needs them; guarded by Device.mu.
type peerCopy struct {
	mod   *cu.Module
	calls [3]*cu.Call
}

var peerWords = [...]struct {
	name  string
	bytes int64
}{{"skel_copy16", 16}, {"skel_copy4", 4}, {"skel_copy1", 1}}

// peerLanes is the number of words that a group copies.
const peerLanes = 128

func (p *peerCopy) open(ctx *cu.Ctx) (err error) {
	if p.mod != nil {
		return nil
	}
	mod, err := ctx.LoadData(peerCopyPTX)
	if err != nil {
		return err
	}
	for i, w := range peerWords {
		fn, err := mod.Function(w.name)
		if err != nil {
			return join(err, mod.Unload())
		}
		p.calls[i] = fn.NewCall(8, 8, 4)
	}
	p.mod = mod
	return nil
}

func (p *peerCopy) close() error {
	if p.mod == nil {
		return nil
	}
	err := p.mod.Unload()
	*p = peerCopy{}
	return err
}

// pull enqueues a short copy from the memory of a device whose memory kernels of d can read. The
// caller holds d.mu.
func (d *Device) pull(to, from cu.DevicePtr, n int64) error {
	p := &d.pulls
	if err := p.open(d.ctx); err != nil {
		return err
	}
	for i, w := range peerWords {
		if (int64(to)|int64(from)|n)%w.bytes != 0 {
			continue
		}
		words := n / w.bytes
		c := p.calls[i]
		c.SetPtr(0, to)
		c.SetPtr(1, from)
		c.SetBits(2, uint64(words))
		return c.Launch(d.queue, cu.Dim3{X: int((words + peerLanes - 1) / peerLanes)}, cu.Dim3{X: peerLanes}, 0)
	}
	return nil // not reached: every length is a multiple of 1
}
