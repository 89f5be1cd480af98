package mixtures

import (
	"context"
	"slices"

	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// batch is a list of fits with the same number of components, which run at the same time on
// one device. The sets are those of the fits, packed into strips.
type batch struct {
	jobs    []start
	where   vector.Distribution
	layout  layout
	blocks  bool // whether expect computes blocks of values, which is faster on CPUs
	m       int
	stop    stopRule
	oldMean bool
	numbers []float64 // in groups of strips
	lanes   []lane
	fits    []fitInfo
	// The components of each fit: those of the next iteration, and the best ones. The progress is that of
	// each component, and equal for those of a fit except for Complete. If kept and progress are nil, no
	// iteration has been run.
	components, kept []Component
	progress         []progress
	ended            func(fits int)        // is called with the number of fits that have ended since the last call
	pause            func(s session) error // is called between iterations
	turn             int                   // of the store in which the batch last added to it
}

const (
	// innerIterations is the number of iterations after which the fits that have ended leave
	// the batch.
	innerIterations = 10
	// runs is how often they are selected before the host looks whether any is left.
	runs = 2
)

// fit runs the fits of a batch until all have ended. The host looks at the number of running
// fits from time to time.
func (k *kernels[F]) fit(ctx context.Context, b *batch) error {
	s, err := k.open(b)
	if err != nil {
		return err
	}
	defer s.close()
	for fits := len(b.fits); ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		left, err := s.run(runs)
		if err != nil {
			return err
		}
		b.ended(fits - left/b.m)
		if fits = left / b.m; fits == 0 {
			return s.read(b)
		}
		if err := b.pause(s); err != nil {
			return err
		}
	}
}

// session is a batch on a device.
type session interface {
	// run runs innerIterations n times and returns how many components were still changing
	// before the last of these.
	run(n int) (int, error)
	// read copies the results into the batch: the best components, and the progress.
	read(b *batch) error
	// readNext copies the components of the next iteration into the batch.
	readNext(b *batch) error
	close()
}

// containers are the session of a family.
type containers[F family[F]] struct {
	numbers          *vector.Vector[float64]
	values           *vector.Vector[value]
	lanes            *vector.Vector[lane]
	fits             *vector.Vector[fitInfo]
	components, kept *vector.Vector[F]
	states           *vector.Vector[progress]
	sums             *vector.Vector[float64]
	changing         *vector.Vector[int]
	loop             *skel.Loop
}

// open copies a batch to its device and records the loop. An iteration is two launches:
// expect, and maximize.
func (k *kernels[F]) open(b *batch) (session, error) {
	first := ofFamily[F](b.components)
	c := &containers[F]{
		numbers: vector.From(b.numbers, b.where), lanes: vector.From(b.lanes, b.where),
		fits: vector.From(b.fits, b.where), components: vector.From(first, b.where),
		sums: vector.Uninitialized[float64](len(b.lanes)*(1+sumsSize*b.m), b.where),
	}
	if b.progress == nil {
		c.kept, c.states = vector.From(first, b.where), vector.New[progress](len(first), b.where)
	} else {
		c.kept, c.states = vector.From(ofFamily[F](b.kept), b.where), vector.From(b.progress, b.where)
	}
	c.values = k.value.Apply(c.numbers)
	m := int32(b.m)
	expect := k.of(b.m, b.blocks).With(expectation[F]{
		c.lanes.View(), c.values.View(), c.components.View(), c.states.View(), c.sums.OutView(), b.layout, m,
	})
	maximize := k.maximize.With(maximization[F]{
		c.fits.View(), c.sums.View(), c.components.OutView(), c.kept.OutView(), c.states.OutView(),
		b.stop, m, int32(len(b.lanes)), b.oldMean,
	})
	running := selection{c.lanes.View(), c.states.View(), m}
	var err error
	c.loop, err = skel.Record(func() error {
		lanes := activeLanes.With(running).Indices(vector.Indices(len(b.lanes), b.where))
		c.changing = activeComponents.With(running).Indices(vector.Indices(len(first), b.where))
		for range innerIterations {
			if err := expect.Apply(lanes); err != nil {
				return err
			}
			if err := maximize.Apply(c.changing); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

func (c *containers[F]) run(n int) (int, error) {
	if err := c.loop.Run(n); err != nil {
		return 0, err
	}
	left := c.changing.Len()
	return left, c.changing.Err()
}

func (c *containers[F]) read(b *batch) (err error) {
	if b.kept, err = host(c.kept); err != nil {
		return err
	}
	states, err := c.states.Host()
	b.progress = slices.Clone(states)
	return err
}

func (c *containers[F]) readNext(b *batch) (err error) {
	b.components, err = host(c.components)
	return err
}

// ofFamily returns components as the kernels use them.
func ofFamily[F family[F]](components []Component) []F {
	all := make([]F, len(components))
	for i, c := range components {
		all[i] = all[i].at(c.Weight, c.P, c.Q)
	}
	return all
}

// host is the inverse of ofFamily.
func host[F family[F]](v *vector.Vector[F]) ([]Component, error) {
	all, err := v.Host()
	components := make([]Component, len(all))
	for i := range all {
		c := &components[i]
		c.Weight, c.P, c.Q = all[i].parameters()
	}
	return components, err
}

// close frees the containers.
func (c *containers[F]) close() {
	if c.loop != nil {
		_ = c.loop.Close() // nothing is lost
	}
	for _, v := range []interface{ Free() }{
		c.numbers, c.values, c.lanes, c.fits, c.components, c.kept, c.states, c.sums,
	} {
		v.Free()
	}
}
