package mixtures

import (
	"bytes"
	"cmp"
	"context"
	"encoding/gob"
	"slices"

	"github.com/skelgo/skelgo/devices"
)

// runOnRanks is runJobs for several ranks. Each runs some of the fits on its own devices, until they
// end or, with a checkpoint, until it is time to save. Then all ranks get all results, save them, and
// divide the fits that are left.
func (f *fitting) runOnRanks(
	ctx context.Context, m int, jobs []start, first func(j start, m int) []Component,
) error {
	for len(jobs) > 0 {
		costs := make([]int64, len(jobs))
		for i, j := range jobs {
			costs[i] = int64(len(f.numbers[j.set]))
		}
		ranks := devices.Divide(costs, f.devices)
		parts, err := devices.PerRank(f.devices, func(own []*devices.Device) ([]byte, error) {
			var mine []start
			for i, j := range jobs {
				if ranks[i] == devices.Rank() {
					mine = append(mine, j)
				}
			}
			return f.runPart(ctx, m, mine, first, own)
		})
		if err != nil {
			return cmp.Or(ctx.Err(), err)
		}
		for _, part := range parts {
			if err := f.addPart(part); err != nil {
				return err
			}
		}
		if f.o.Progress != nil {
			f.o.Progress(int(f.store.done.Load()))
		}
		jobs = slices.DeleteFunc(jobs, func(j start) bool { return f.store.state.Round.Ended[f.index(j)] })
		if len(jobs) > 0 || f.store.checkpoint.Due() {
			f.store.checkpoint.Save(&f.store.state)
		}
	}
	return nil
}

// runPart runs the fits of this rank and encodes a round that has only these.
func (f *fitting) runPart(
	ctx context.Context, m int, jobs []start, first func(j start, m int) []Component, own []*devices.Device,
) ([]byte, error) {
	now := &f.store.state.Round
	part := &store{late: f.store.checkpoint.Late}
	part.done.Store(f.store.done.Load())
	part.state.Round = round{
		Best: map[int]*Fit{}, Ended: make([]bool, len(now.Ended)), Running: map[int]stage{},
	}
	for _, j := range jobs {
		if from, ok := now.Running[f.index(j)]; ok {
			part.state.Round.Running[f.index(j)] = from
		}
	}
	if len(jobs) > 0 {
		g := *f
		g.devices, g.store = own, part
		if err := g.runJobs(ctx, m, jobs, first); err != nil {
			return nil, err
		}
	}
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(&part.state.Round)
	return b.Bytes(), err
}

// addPart adds the round of a rank to the state.
func (f *fitting) addPart(encoded []byte) error {
	var part round
	if err := gob.NewDecoder(bytes.NewReader(encoded)).Decode(&part); err != nil {
		return err
	}
	state := &f.store.state
	for set, x := range part.Best {
		state.Round.add(set, x)
	}
	for i, ended := range part.Ended {
		if ended {
			state.Round.Ended[i] = true
			delete(state.Round.Running, i)
			state.Count++
		}
	}
	for i, x := range part.Running {
		state.Round.Running[i] = x
	}
	f.store.done.Store(int64(state.Count))
	return nil
}
