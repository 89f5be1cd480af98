package nw

import (
	"bytes"
	"cmp"
	"context"
	"encoding/gob"
	"slices"
	"sync"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/devices"
)

// onRanks is alignChunks for several ranks: each aligns some of the chunks on its own devices, and
// all hand over all alignments.
func (o *Options) onRanks(
	ctx context.Context, pairs []seq.Pair, chunks [][]int, done func(*align.Alignment) error,
) error {
	costs := make([]int64, len(chunks))
	for i, c := range chunks {
		costs[i] = Cells(pick(pairs, c))
	}
	ranks := devices.Divide(costs, o.Devices)
	parts, err := devices.PerRank(o.Devices, func(own []*devices.Device) ([]byte, error) {
		var mine [][]int
		for i, c := range chunks {
			if ranks[i] == devices.Rank() {
				mine = append(mine, c)
			}
		}
		return o.alignPart(ctx, pairs, mine, own)
	})
	if err != nil {
		return cmp.Or(ctx.Err(), err)
	}
	list := make([]*align.Alignment, len(pairs))
	for rank, part := range parts {
		var found map[int]align.Alignment
		if err := gob.NewDecoder(bytes.NewReader(part)).Decode(&found); err != nil {
			return err
		}
		for k, a := range found {
			a.A, a.B = pairs[k].A, pairs[k].B
			if o.Path && a.Path == nil { // gob has made it of an empty path
				a.Path = align.Cigar{}
			}
			list[k] = &a
		}
		if o.Progress != nil && rank != devices.Rank() {
			for i, r := range ranks {
				if r == rank {
					o.Progress(costs[i])
				}
			}
		}
	}
	return o.handOver(list, done)
}

// alignPart aligns the chunks of this rank and encodes the alignments, by the indices of their pairs.
func (o *Options) alignPart(
	ctx context.Context, pairs []seq.Pair, chunks [][]int, own []*devices.Device,
) ([]byte, error) {
	part := *o
	part.Devices, part.Prepare = own, nil
	var mu sync.Mutex
	found := map[int]align.Alignment{}
	err := part.alignChunks(ctx, pairs, chunks, func(c []int, list []*align.Alignment) error {
		mu.Lock()
		defer mu.Unlock()
		for i, a := range list {
			a.A, a.B = nil, nil // all ranks have them
			found[c[i]] = *a
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = gob.NewEncoder(&b).Encode(found)
	return b.Bytes(), err
}

// handOver hands over alignments that other ranks may have found.
func (o *Options) handOver(list []*align.Alignment, done func(*align.Alignment) error) error {
	const block = 256 // limits the memory of what Prepare makes
	for some := range slices.Chunk(list, block) {
		if o.Prepare != nil {
			if err := inParallel(len(some), 8, func(i int) error { return o.Prepare(some[i]) }); err != nil {
				return err
			}
		}
		for _, a := range some {
			if err := done(a); err != nil {
				return err
			}
		}
	}
	return nil
}
