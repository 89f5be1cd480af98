package mpi_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/skelgo/skelgo/devices/mpi/mpi"
)

// The test binary is also the program that runs under mpirun and with fake libraries: it
// runs the function that this variable names.
const programVariable = "SKEL_MPI_TEST_PROGRAM"

var programs = map[string]func(*mpi.Comm) error{"calls": calls, "alone": alone, "abort": abort}

func TestMain(m *testing.M) {
	name := os.Getenv(programVariable)
	if name == "" {
		os.Exit(m.Run())
	}
	world, err := mpi.Init()
	if err == nil {
		if err = programs[name](world); err == nil {
			err = mpi.Finalize()
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("rank %d of %d: ok with %s\n", world.Rank(), world.Size(), mpi.Version())
	os.Exit(0)
}

func abort(world *mpi.Comm) error {
	if world.Rank() == world.Size()-1 {
		return world.Abort(7)
	}
	return world.Barrier()
}

// alone makes every call on one rank.
func alone(world *mpi.Comm) error {
	if _, err := mpi.Init(); err != nil {
		return err
	}
	mpi.SetLargest(3)
	copied, err := world.Dup()
	if err != nil {
		return err
	}
	local, err := copied.SplitShared()
	if err != nil {
		return err
	}
	for _, c := range []*mpi.Comm{world, copied, local} {
		for _, n := range []int{0, 1, 3, 4, 10} {
			p, q, all := message(n, 0), make([]byte, n), make([]byte, n)
			r, err := c.Isend(p, 0, 1)
			if err := errors.Join(err, r.Wait(), r.Wait(), c.Recv(q, 0, 1)); err != nil {
				return err
			}
			if err := errors.Join(c.Bcast(p, 0), c.Allgather(p, all), c.Barrier()); err != nil {
				return err
			}
			b, err1 := c.Ibcast(p, 0)
			w, err2 := c.Ibarrier()
			if err := errors.Join(err1, b.Wait(), err2, w.Wait()); err != nil {
				return err
			}
			if !bytes.Equal(p, q) || !bytes.Equal(p, all) {
				return fmt.Errorf("%v was sent, %v and %v arrived", p, q, all)
			}
		}
	}
	if err := wrongLengths(world, 0, 0); err != nil {
		return err
	}
	return errors.Join(local.Free(), copied.Free())
}

// wrongLengths sends to rank to, and receives from rank from, messages of other lengths than
// expected.
func wrongLengths(c *mpi.Comm, to, from int) error {
	short, err := c.Isend([]byte{1, 2}, to, 5)
	if err != nil {
		return err
	}
	long, err := c.Isend([]byte{1, 2, 3}, to, 5)
	if err != nil {
		return err
	}
	if err := c.Recv(make([]byte, 3), from, 5); err == nil {
		return errors.New("a short message was received")
	}
	err = c.Recv(make([]byte, 2), from, 5)
	if e, ok := errors.AsType[*mpi.Error](err); !ok || e.Func != "MPI_Recv" || e.Text == "" {
		return fmt.Errorf("the error of a long message is %w", err)
	}
	return errors.Join(short.Wait(), long.Wait())
}

func message(n, rank int) []byte {
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(i*7 + rank + 1)
	}
	return p
}

// calls makes every call among all ranks.
func calls(world *mpi.Comm) error {
	rank, size := world.Rank(), world.Size()
	if by, ok := mpi.Launched(); !ok || by.Rank != rank || by.Size != size {
		return fmt.Errorf("rank %d of %d: the launcher says %+v", rank, size, by)
	}
	if !mpi.ThreadMultiple() {
		return errors.New("the library does not support calls from many threads")
	}
	next, last := (rank+1)%size, (rank+size-1)%size
	for _, most := range []int{1 << 30, 1000} {
		mpi.SetLargest(most)
		for _, n := range []int{0, 1, 999, 1000, 1001, 1 << 20} {
			if err := ring(world, n, next, last); err != nil {
				return err
			}
		}
	}
	mpi.SetLargest(1 << 30)

	// Two goroutines with a communicator each, which make their calls in different orders.
	lanes := make([]*mpi.Comm, 2)
	for i := range lanes {
		var err error
		if lanes[i], err = world.Dup(); err != nil {
			return err
		}
	}
	errs := make([]error, len(lanes))
	var group sync.WaitGroup
	for i, c := range lanes {
		group.Go(func() {
			for k := range 50 {
				errs[i] = errors.Join(errs[i], ring(c, 10*i+k, next, last))
			}
		})
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	local, err := world.SplitShared()
	if err != nil {
		return err
	}
	if local.Size() != size || local.Rank() != rank {
		return fmt.Errorf("rank %d of %d on this machine, want %d of %d", local.Rank(), local.Size(), rank, size)
	}
	if err := wrongLengths(world, next, last); err != nil {
		return err
	}
	if err := panics(); err != nil {
		return err
	}
	never, err := world.Irecv(make([]byte, 8), last, 9)
	if err := errors.Join(err, never.Cancel()); err != nil {
		return err
	}
	return errors.Join(local.Free(), lanes[0].Free(), lanes[1].Free(), world.Barrier())
}

// ring sends n bytes to the next rank in three ways, and makes the collective calls.
func ring(c *mpi.Comm, n, next, last int) error {
	mine, theirs, got := message(n, c.Rank()), message(n, last), make([]byte, n)
	compare := func(what string, want []byte) error {
		if !bytes.Equal(got, want) {
			return fmt.Errorf("rank %d: %s of %d bytes has other bytes", c.Rank(), what, n)
		}
		clear(got)
		return nil
	}
	r, err := c.Isend(mine, next, 1)
	if err := errors.Join(err, c.Recv(got, last, 1), r.Wait(), compare("Recv", theirs)); err != nil {
		return err
	}
	in, err := c.Irecv(got, last, 2)
	if err := errors.Join(err, c.Send(mine, next, 2)); err != nil {
		return err
	}
	for done := false; !done; {
		if done, err = in.Test(); err != nil {
			return err
		}
	}
	if err := errors.Join(in.Wait(), compare("Irecv", theirs)); err != nil {
		return err
	}
	var want []byte
	for root := range c.Size() {
		want = append(want, message(n, root)...)
		if c.Rank() == root {
			copy(got, mine)
		}
		if err := errors.Join(c.Bcast(got, root), compare("Bcast", message(n, root))); err != nil {
			return err
		}
		if c.Rank() == root {
			copy(got, mine)
		}
		b, err := c.Ibcast(got, root)
		if err := errors.Join(err, b.Wait(), compare("Ibcast", message(n, root))); err != nil {
			return err
		}
	}
	barrier, err := c.Ibarrier()
	if err := errors.Join(err, barrier.Wait()); err != nil {
		return err
	}
	all := make([]byte, n*c.Size())
	if err := errors.Join(c.Allgather(mine, all), c.Barrier()); err != nil {
		return err
	}
	if !slices.Equal(all, want) {
		return fmt.Errorf("rank %d: Allgather of %d bytes has other bytes", c.Rank(), n)
	}
	return nil
}

// panics checks that the library has not taken the signals that Go turns into panics.
func panics() (err error) {
	defer func() {
		if recover() == nil {
			err = errors.New("using a nil pointer does not panic")
		}
	}()
	var p *int
	*p++
	return nil
}
