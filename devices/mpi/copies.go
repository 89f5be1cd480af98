package mpi

import "slices"

// Copy is a copy of N bytes, from byte offset From of Src to byte offset Off of Dst.
type Copy struct {
	Dst  *Buffer
	Off  int64
	Src  *Buffer
	From int64
	N    int64
}

// CopyAll makes copies between ranks, none of which reads or writes what another one writes. All ranks call it,
// with the same copies. Ranks that have few bytes for one another pass them on, so that none gets
// a message from every other one.
func (w *World) CopyAll(copies []Copy) error {
	first := copies[0]
	if err := w.begin(first.Src.dev.copied, first.Dst.dev.id, first.N, true); err != nil {
		return err
	}
	if w.quiet.Load() == 0 {
		for _, c := range copies[1:] {
			w.add(c.Src.dev.copied, c.Dst.dev.id, c.N)
		}
	}
	if t := w.newTree(copies); t != nil {
		return w.end(t.run())
	}
	return w.end(w.pairwise(copies))
}

// passage is a copy between two ranks that this rank is making.
type passage struct {
	Copy
	lane   *lane // nil if it is a message
	gives  bool  // this rank has Src
	next   int64 // piece of a copy by the lane
	failed error
	ended  bool
}

// pairwise makes each copy on its own: by a lane, or by a message if there is none.
func (w *World) pairwise(copies []Copy) error {
	all, err := w.passages(copies)
	if err != nil {
		return err
	}
	for _, x := range all { // all messages before the first one is waited for
		if x.gives && x.lane == nil {
			if err := w.giveBytes(x); err != nil {
				return err
			}
		}
	}
	for _, x := range all {
		if !x.gives && x.lane == nil {
			if err := w.takeBytes(x); err != nil {
				return err
			}
		}
	}
	if err := w.byLanes(all); err != nil {
		return err
	}
	for _, x := range all {
		if !x.gives {
			x.Dst.dev.Keep(x.failed)
		}
	}
	return w.sent(false)
}

// passages returns the copies that this rank has a part in, with their lanes.
func (w *World) passages(copies []Copy) (all []*passage, err error) {
	for _, c := range copies {
		x := &passage{Copy: c, gives: c.Src.dev.owner == w.Rank()}
		switch {
		case x.gives:
			w.traffic.count(&w.traffic.Sent, int(c.N))
		case c.Dst.dev.owner == w.Rank():
			w.traffic.count(&w.traffic.Received, int(c.N))
		default:
			continue
		}
		if x.lane, err = w.openLane(c.Src.dev, c.Dst.dev); err != nil {
			return nil, err
		}
		all = append(all, x)
	}
	return all, nil
}

// byLanes makes the copies that have lanes, a piece of each lane at a time. A device gives its next piece before it
// takes one, so that the other one need not wait for that: while one reads a piece from another one, that one
// reads a piece from it. No rank waits for ever: to give piece i of a lane it waits for the taking of piece
// i - slots, to take piece i for the giving of piece i, and before that it gives no more than piece i + 1.
func (w *World) byLanes(all []*passage) error {
	var giving, taking [][]*passage // by lane
	place := map[*lane]int{}
	for _, x := range all {
		if x.lane == nil {
			continue
		}
		group := &taking
		if x.gives {
			group = &giving
		}
		i, ok := place[x.lane]
		if !ok {
			i = len(*group)
			place[x.lane] = i
			*group = append(*group, nil)
		}
		(*group)[i] = append((*group)[i], x)
	}
	for begun := false; len(giving)+len(taking) > 0; begun = true {
		for i, line := range giving {
			if err := w.givePiece(line[0]); err != nil {
				return err
			}
			giving[i] = rest(line)
		}
		giving = slices.DeleteFunc(giving, finished)
		if !begun && len(giving) > 0 {
			continue
		}
		for i, line := range taking {
			if err := w.takePiece(line[0]); err != nil {
				return err
			}
			taking[i] = rest(line)
		}
		taking = slices.DeleteFunc(taking, finished)
	}
	return nil
}

func finished(line []*passage) bool { return len(line) == 0 }

// rest returns the copies of a lane after a piece of the first one.
func rest(line []*passage) []*passage {
	if x := line[0]; x.ended || x.next*x.lane.slot >= x.N {
		return line[1:]
	}
	return line
}

// giveBytes sends the bytes of a copy.
func (w *World) giveBytes(x *passage) error {
	p, failed := x.bytes()
	return w.sendHead(x.Dst.dev.owner, p, failed)
}

// takeBytes receives what giveBytes sends.
func (w *World) takeBytes(x *passage) (err error) {
	p := make([]byte, x.N)
	if x.failed, err = w.receiveHead(x.Src.dev.owner, p); x.failed == nil && err == nil {
		_, x.failed = x.Dst.Write(x.Off, p)
	}
	return err
}

// bytes reads what the copy reads. If that fails, the bytes are any.
func (c *Copy) bytes() ([]byte, error) {
	p := make([]byte, c.N)
	if err := c.Src.unreadable(); err != nil {
		return p, err
	}
	return p, wait(c.Src.raw.Read(c.From, p))
}
