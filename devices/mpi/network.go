package mpi

import "github.com/skelgo/skelgo/devices/mpi/mpi"

// Network carries bytes between ranks. Start uses MPI; tests use others.
type Network interface {
	Rank() int
	Size() int
	Isend(p []byte, to, tag int) (Request, error)
	Irecv(p []byte, from, tag int) (Request, error)
	Ibcast(p []byte, root int) (Request, error)
	Ibarrier() (Request, error)
}

// Request is a call of a Network under way.
type Request interface {
	Test() (done bool, err error)
	Cancel() error
}

// comm is a Network by MPI.
type comm struct{ *mpi.Comm }

func (c comm) Isend(p []byte, to, tag int) (Request, error)   { return c.Comm.Isend(p, to, tag) }
func (c comm) Irecv(p []byte, from, tag int) (Request, error) { return c.Comm.Irecv(p, from, tag) }
func (c comm) Ibcast(p []byte, root int) (Request, error)     { return c.Comm.Ibcast(p, root) }
func (c comm) Ibarrier() (Request, error)                     { return c.Comm.Ibarrier() }

// The tags of messages.
const (
	dataTag    = 1
	controlTag = 2
	pieceTag   = 3 // of a copy by a lane
	replyTag   = 4 // to the handle of a lane
	ackTag     = 5 // for a piece
)
