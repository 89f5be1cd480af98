package mpi

// Play returns the world of one rank of a program that has no others: what it sends is lost, and
// what it receives repeats a word, which may change. [World.Traffic] shows which messages the
// program would send on more ranks than there are processors. Before devices are used,
// [World.Lead] makes the world that of the process.
func Play(rank, size int, word *[8]byte) *World {
	p := &player{rank: rank, size: size, word: word}
	p.world = NewWorld(p, p)
	p.world.played = true
	return p.world
}

// Lead makes Start return the world.
func (w *World) Lead() { leading = w }

// leading is what Start returns if it is not nil.
var leading *World

// player is the network of Play.
type player struct {
	rank, size int
	word       *[8]byte
	world      *World
}

func (p *player) Rank() int { return p.rank }
func (p *player) Size() int { return p.size }

func (p *player) Isend([]byte, int, int) (Request, error) { return played{}, nil }
func (p *player) Ibarrier() (Request, error)              { return played{}, nil }

func (p *player) Irecv(b []byte, _, tag int) (Request, error) {
	if tag != dataTag {
		return never{}, nil
	}
	p.receive(b)
	return played{}, nil
}

func (p *player) Ibcast(b []byte, root int) (Request, error) {
	if root != p.rank {
		p.receive(b)
	}
	return played{}, nil
}

// receive fills b with what a rank would send that has made the same calls. The head of each
// message is in the world's own memory.
func (p *player) receive(b []byte) {
	for i := range b {
		b[i] = p.word[i%len(p.word)]
	}
	if &b[0] == &p.world.head[0] { // not an error
		p.world.state(b)
		clear(b[infoAt:inlineAt])
	}
}

// played is a request that is done, and never one that will not be.
type (
	played struct{}
	never  struct{}
)

func (played) Test() (bool, error) { return true, nil }
func (played) Cancel() error       { return nil }
func (never) Test() (bool, error)  { return false, nil }
func (never) Cancel() error        { return nil }
