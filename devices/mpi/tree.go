package mpi

import "slices"

// A tree makes copies of few bytes that many ranks have for one, one has for many, or each of many has for all
// others: members pass on what they have received. So each of n members sends and receives about log2(n) messages,
// where a message for each copy would give one member n.
type tree struct {
	*World
	members []int // ranks; the first one is the root
	me      int   // place of this rank among the members; -1 if it is none
	blocks  []block
	starts  []int // of the bytes of each member among those of all; and their end
	gathers bool  // others than the root have blocks
	spreads bool  // others than the root need them
}

// block is the source of copies.
type block struct {
	src     *Buffer
	from, n int64
	at      int // of its first byte among those of all blocks
	copies  []Copy
}

const (
	treeMembers = 4        // with fewer, a tree saves no message
	treeBytes   = 16 << 10 // of a member; with more, bytes that are passed on take longer than messages
)

// newTree returns the tree that makes copies between ranks, or nil if a message for each copy is better. All ranks
// decide alike.
func (w *World) newTree(copies []Copy) *tree {
	if len(copies) < treeMembers-1 {
		return nil
	}
	t := &tree{World: w, me: -1}
	gives, needs := make([]bool, w.Size()), make([]bool, w.Size())
	lanes := true
	for _, c := range copies {
		gives[c.Src.dev.owner], needs[c.Dst.dev.owner] = true, true
		lanes = lanes && w.near(c.Src.dev, c.Dst.dev)
	}
	givers, needers := 0, 0
	for rank := range w.Size() {
		if gives[rank] {
			givers++
		}
		if needs[rank] {
			needers++
		}
		if gives[rank] || needs[rank] {
			t.members = append(t.members, rank)
		}
	}
	root := t.members[0]
	switch {
	case lanes || len(t.members) < treeMembers:
		return nil
	case needers == 1:
		root = slices.Index(needs, true)
	case givers == 1:
		root = slices.Index(gives, true)
	}
	at := slices.Index(t.members, root)
	copy(t.members[1:at+1], t.members[:at])
	t.members[0] = root
	t.me = slices.Index(t.members, w.Rank())
	t.gathers, t.spreads = givers > 1 || !gives[root], needers > 1
	if !t.lay(copies) {
		return nil
	}
	return t
}

// lay finds the blocks, and places their bytes in the order of members. It reports whether they are few, and each is
// needed where it will get.
func (t *tree) lay(copies []Copy) bool {
	place := make([]int, t.Size())
	for i, rank := range t.members {
		place[rank] = i
	}
	type source struct {
		src     *Buffer
		from, n int64
	}
	number := map[source]int{}
	of := make([][]int, len(t.members)) // the blocks of each member
	for _, c := range copies {
		s := source{c.Src, c.From, c.N}
		i, ok := number[s]
		if !ok {
			i = len(t.blocks)
			number[s] = i
			t.blocks = append(t.blocks, block{src: c.Src, from: c.From, n: c.N})
			m := place[c.Src.dev.owner]
			of[m] = append(of[m], i)
		}
		t.blocks[i].copies = append(t.blocks[i].copies, c)
	}
	ordered, at := make([]block, 0, len(t.blocks)), 0
	seen := make([]int, t.Size()) // by rank: the last block that it needs
	for _, blocks := range of {
		t.starts = append(t.starts, at)
		for _, i := range blocks {
			b := t.blocks[i]
			needed := 0
			for _, c := range b.copies {
				if rank := c.Dst.dev.owner; seen[rank] != i+1 {
					seen[rank], needed = i+1, needed+1
				}
			}
			if t.spreads && needed < len(t.members)-1 {
				return false
			}
			b.at = at + head
			at = b.at + (int(b.n)+head-1)/head*head
			ordered = append(ordered, b)
		}
		if at-t.starts[len(t.starts)-1] > treeBytes {
			return false
		}
	}
	t.starts = append(t.starts, at)
	t.blocks = ordered
	return true
}

// Before each block are head bytes, the first of which is broken if the block could not be read.
const (
	head   = 8
	broken = 1
)

// run makes the copies.
func (t *tree) run() error {
	if t.me < 0 {
		return nil
	}
	all := make([]byte, t.starts[len(t.members)])
	failed := t.read(all)
	var err error
	if t.gathers {
		err = t.gather(all)
	}
	if t.spreads && err == nil {
		all, err = t.spread(all)
	}
	if err != nil {
		return err
	}
	return t.write(all, failed)
}

// read reads the blocks of this rank. failed are the errors, by block.
func (t *tree) read(all []byte) (failed map[int]error) {
	for i, b := range t.blocks {
		if b.src.dev.owner != t.Rank() {
			continue
		}
		p, err := b.copies[0].bytes()
		copy(all[b.at:], p)
		if err != nil {
			if failed == nil {
				failed = map[int]error{}
			}
			failed[i], all[b.at-head] = err, broken
		}
	}
	return failed
}

// gather collects the bytes of all members at the root: each member passes those of the members after it
// to one before it.
func (t *tree) gather(all []byte) error {
	n := len(t.members)
	for step := 1; step < n; step *= 2 {
		if t.me&step != 0 {
			return t.pass(t.me-step, all[t.starts[t.me]:t.starts[min(t.me+step, n)]])
		}
		if from := t.me + step; from < n {
			if err := t.get(from, all[t.starts[from]:t.starts[min(from+step, n)]]); err != nil {
				return err
			}
		}
	}
	return nil
}

// spread gives the root's bytes to all members.
func (t *tree) spread(all []byte) ([]byte, error) {
	if t.me > 0 {
		all = make([]byte, len(all)) // what gather sends must not change
	}
	return all, spread(t.me, len(t.members),
		func(from int) error { return t.get(from, all) },
		func(to int) error { return t.pass(to, all) })
}

// spread makes the messages of member me of n that pass on what member 0 has: get that from the member before
// it in the tree, and pass that to the members after it.
func spread(me, n int, get, pass func(member int) error) error {
	step := 1
	for step < n && me&step == 0 {
		step *= 2
	}
	if me > 0 {
		if err := get(me - step); err != nil {
			return err
		}
	}
	for step /= 2; step > 0; step /= 2 {
		if me+step < n {
			if err := pass(me + step); err != nil {
				return err
			}
		}
	}
	return nil
}

// pass sends p to a member, and get receives it.
func (t *tree) pass(to int, p []byte) error {
	t.traffic.count(&t.traffic.Sent, len(p))
	return t.sendHead(t.members[to], p, nil)
}

func (t *tree) get(from int, p []byte) error {
	t.traffic.count(&t.traffic.Received, len(p))
	_, err := t.receiveHead(t.members[from], p) // a tree sends no errors in place of bytes
	return err
}

// write writes the blocks that this rank needs, those that follow one another at once. For each copy of a block
// that could not be read, the rank that has the block sends the error.
func (t *tree) write(all []byte, failed map[int]error) error {
	var next Copy    // what is written next,
	var bytes []byte // and its bytes
	flush := func() {
		if len(bytes) > 0 {
			_, err := next.Dst.Write(next.Off, bytes)
			next.Dst.dev.Keep(err)
			bytes = nil
		}
	}
	defer flush()
	for i, b := range t.blocks {
		own := b.src.dev.owner == t.Rank()
		for _, c := range b.copies {
			if own && failed[i] != nil {
				if err := t.sendHead(c.Dst.dev.owner, nil, failed[i]); err != nil {
					return err
				}
			}
			if c.Dst.dev.owner != t.Rank() {
				continue
			}
			if all[b.at-head] == broken {
				failed, err := t.receiveHead(b.src.dev.owner, nil)
				if err != nil {
					return err
				}
				c.Dst.dev.Keep(failed)
				continue
			}
			if next.Dst != c.Dst || next.Off+int64(len(bytes)) != c.Off {
				flush()
				next = c
			}
			bytes = append(bytes, all[b.at:b.at+int(b.n)]...)
		}
	}
	return nil
}
