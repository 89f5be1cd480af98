package array

import (
	"errors"
	"fmt"

	"github.com/skelgo/skelgo/devices"
)

// Combiner combines replicas that the devices have written independently. Package
// skel implements it with a Reduce.
type Combiner interface {
	// CombineInto sets dst[i] to op(dst[i], src[i]); both are on one device.
	CombineInto(dst, src *Array) error

	// FillIdentity sets all elements to the identity of the operator.
	FillIdentity(dst *Array) error

	// Combines reports whether the elements of the operator have this many bytes.
	Combines(elemSize int) bool
}

// Combined reports whether kernels on several devices may write replicas of the
// array.
func (a *Array) Combined() bool { return a.dist.combiner() != nil }

// WriteReplicas prepares the replicas of an array for kernels, each of which writes
// the replica on its device. The error says how to create an array that allows this.
func (a *Array) WriteReplicas() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	c := a.dist.combiner()
	switch {
	case a.place == nil || !a.place.Copies():
		return fmt.Errorf("vector: kernels on several devices write any element of a container on %v: "+
			"create it with the distribution that Replicas of a skel.Reduce returns", a.dist)
	case c == nil:
		return errors.New("vector: kernels on several devices write replicas that no operator combines: " +
			"create the container with Replicas of a skel.Reduce instead of vector.Copy")
	case !c.Combines(a.size):
		return fmt.Errorf("vector: the elements have %d bytes, but those of the operator of the replicas do not: "+
			"use a skel.Reduce of the same element type", a.size)
	}
	r := Recording()
	if a.diverged && a.divergedIn == r {
		return nil
	}
	if err := a.combine(); err != nil {
		return err
	}
	for _, p := range a.parts[1:] {
		if err := c.FillIdentity(p); err != nil {
			return a.fail(err)
		}
	}
	a.diverged, a.divergedIn = true, r
	return nil
}

// Replica returns the replica on device d without combining the replicas first.
func (a *Array) Replica(d *devices.Device) (*Array, error) {
	for k, p := range a.parts {
		if a.place.Devs[k] == d {
			return p, nil
		}
	}
	return nil, fmt.Errorf("vector: a kernel on %v writes a container on %v: add the device to Reduce.Replicas",
		d, a.dist)
}

// overwriteReplicas prepares replicas that are about to be overwritten with the same
// elements. A recording combines them first, because they may be read before the loop
// runs. The caller holds a.mu.
func (a *Array) overwriteReplicas() error {
	if r := Recording(); r != nil && !(a.diverged && a.divergedIn == r) {
		if err := a.combine(); err != nil {
			return err
		}
	}
	a.diverged = false
	return nil
}

// combine combines the replicas if kernels have written them: every device combines
// some of the elements and sends them to the other devices. Elements written before a
// loop are combined when the loop is recorded, and before each replay. The
// caller holds a.mu.
func (a *Array) combine() (err error) {
	if !a.Combined() {
		return a.err
	}
	if r := Recording(); r != nil {
		r.Result(a)
		if a.diverged && a.divergedIn != r {
			r.Pause(func() { err = a.combine() })
			return err
		}
	}
	if !a.diverged || a.err != nil {
		return a.err
	}
	a.diverged = false
	sum, err := a.combination()
	if err == nil {
		err = a.copyFrom(sum)
	}
	if sum != nil {
		sum.Free()
	}
	if err != nil {
		return a.fail(err)
	}
	return nil
}

// combination returns the combined elements of all replicas, in blocks.
func (a *Array) combination() (*Array, error) {
	sum, c := new(Array), a.dist.combiner()
	newArray(sum, a.place.RowsIn(), a.place.Unit, a.size, Block(a.place.Devs...))
	for _, block := range sum.pieces() {
		if block.lo == block.hi {
			continue
		}
		for k, replica := range a.parts {
			operand := block.Array // the first replica; the others are combined into it
			if k > 0 {
				operand = &Array{n: block.n, size: a.size, dist: block.dist, expression: expression{loop: a.loop}}
			}
			err := operand.copyRange(replica, block.lo)
			if err == nil && k > 0 {
				err = c.CombineInto(block.Array, operand)
			}
			if k > 0 {
				operand.Free()
			}
			if err != nil {
				return sum, err
			}
		}
	}
	return sum, nil
}
