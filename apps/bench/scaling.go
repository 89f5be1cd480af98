package bench

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/skelgo/skelgo/apps/internal/cli"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// scaled is one thing to measure on one device and on several. open prepares it
// for a distribution over so many of them, and gives a call of it and what frees
// its memory.
type scaled struct {
	name  string
	weak  bool            // every device has as much to do, however many there are; else all together
	each  int             // how often a call does it
	goals map[int]float64 // how many times faster so many GPUs are at least
	open  func(on vector.Distribution, devs int) (call func() error, free func(), err error)

	sample func(on vector.Distribution, devs int) (time.Duration, error) // in place of open: the time itself
}

// scale measures several devices against the first of them, and how fast
// containers change their distribution.
func (c *Command) scale(ctx context.Context, env *cli.Env) error {
	devs, err := cli.Devices(c.Device)
	if err != nil {
		return err
	}
	if len(devs) < 2 {
		return cli.Badf("--scaling needs several devices (such as -d cuda:all); -d %s is one", devs[0].ID())
	}
	if c.Rounds < 1 {
		return cli.Badf("--rounds %d: it must be at least 1", c.Rounds)
	}
	log2 := usualLog2(devs[0].Info())
	if c.MaxLog2 != nil {
		log2 = *c.MaxLog2
	}
	if log2 < smallest || log2 > most {
		return cli.Badf("--max-log2 %d: it must be from %d to %d", log2, smallest, most)
	}
	s := &session{ctx: ctx, device: devs[0], maxLog2: log2, rounds: c.Rounds}
	return s.scale(env, devs)
}

// scale measures, and prints.
func (s *session) scale(env *cli.Env, devs []*devices.Device) error {
	fmt.Fprint(env.Stdout, heading(s))
	for _, d := range devs[1:] {
		fmt.Fprintf(env.Stdout, "and: %s (%s)\n", d.ID(), d.Info().Name)
	}
	t := cli.Table("what", "of", "devices", "time", "times faster", "goal")
	cli.AlignRight(t, 3, 4, 5, 6)
	for _, x := range scales(1 << s.maxLog2) {
		if !s.gpu() {
			x.goals = nil
		}
		if err := x.measure(s, devs, t); err != nil {
			return fmt.Errorf("%s: %w", x.name, err)
		}
	}
	fmt.Fprintf(env.Stdout, "\n%s\n", t.Render())
	moves, err := s.redistributions(devs, 1<<s.maxLog2)
	if err == nil {
		fmt.Fprintf(env.Stdout, "\n%s\n", moves)
	}
	return err
}

// counts are how many of the devices are measured: 1, 2, 4, ..., and all.
func counts(devs int) (list []int) {
	for n := 1; n < devs; n *= 2 {
		list = append(list, n)
	}
	return append(list, devs)
}

// measure measures all counts in turn, and adds a row for each.
func (x *scaled) measure(s *session, devs []*devices.Device, t table.Writer) error {
	all := counts(len(devs))
	times := make([]Times, len(all))
	for range s.rounds {
		for i, n := range all {
			if err := s.ctx.Err(); err != nil {
				return err
			}
			took, err := x.time(devs[:n])
			if err != nil {
				return err
			}
			times[i] = append(times[i], took)
		}
	}
	kind := "all"
	if x.weak {
		kind = "a device"
	}
	for i, n := range all {
		ratio := float64(times[0].Median() / times[i].Median())
		if x.weak {
			ratio *= float64(n)
		}
		t.AppendRow(table.Row{x.name, kind, n, duration(times[i].Median()), fmt.Sprintf("%.2f", ratio), optional(x.goals[n])})
	}
	return nil
}

// time is the time that it takes on devices.
func (x *scaled) time(devs []*devices.Device) (Seconds, error) {
	on := vector.Block(devs...)
	if x.sample != nil {
		took, err := x.sample(on, len(devs))
		return Seconds(took.Seconds()), err
	}
	call, free, err := x.open(on, len(devs))
	defer free()
	if err != nil {
		return 0, err
	}
	took, err := timeOf(devs, call)
	return took / Seconds(x.each), err
}

// timeOf is the time of a call in steady state: calls are enqueued for about a
// tenth of a second, and then all devices are waited for.
func timeOf(devs []*devices.Device, call func() error) (Seconds, error) {
	run := func(n int) (time.Duration, error) {
		begin := time.Now()
		for range n {
			if err := call(); err != nil {
				return 0, err
			}
		}
		for _, d := range devs {
			if err := d.Sync(); err != nil {
				return 0, err
			}
		}
		return time.Since(begin), nil
	}
	if _, err := run(1); err != nil { // kernels are built, and memory is there
		return 0, err
	}
	once, err := run(1)
	if err != nil {
		return 0, err
	}
	n := int(min(max(1, 100*time.Millisecond/max(once, time.Microsecond)), 1000))
	took, err := run(n)
	return Seconds(took.Seconds() / float64(n)), err
}

// scales are what is measured, for n elements a device.
func scales(n int) []*scaled {
	random := func(on vector.Distribution, n, first int) *vector.Vector[float32] {
		return float32s.random.onDevice.With(first).Apply(vector.Indices(n, on))
	}
	ready := func(vs ...*vector.Vector[float32]) (func(), error) {
		free := func() {
			for _, v := range vs {
				v.Free()
			}
		}
		for _, v := range vs {
			if err := v.Wait(); err != nil {
				return free, err
			}
		}
		return free, nil
	}
	side := 1
	for 4*4*side*side <= n { // 16384 where n is 2^30
		side *= 2
	}
	const steps, dim, clusters = 256, cloudDim, 16
	points := max(n/107, 4*clusters) // 10 million where n is 2^30
	reduce := func(name string, weak bool, size func(devs int) int, goals map[int]float64) *scaled {
		return &scaled{name: name, weak: weak, each: 1, goals: goals, open: func(on vector.Distribution, devs int) (func() error, func(), error) {
			x := random(on, size(devs), 0)
			free, err := ready(x)
			return func() error {
				total := float32s.sum.Apply(x)
				defer total.Free()
				return total.Err()
			}, free, err
		}}
	}
	return []*scaled{
		{name: "Map", weak: true, each: 1, goals: map[int]float64{2: 1.99, 4: 3.97, 8: 7.9}, open: func(on vector.Distribution, devs int) (func() error, func(), error) {
			x := random(on, n*devs, 0)
			out := float32s.square.Apply(x)
			free, err := ready(x, out)
			return func() error { return float32s.square.ApplyTo(out, x) }, free, err
		}},
		{name: "Zip", weak: true, each: 1, goals: map[int]float64{2: 1.99, 4: 3.97, 8: 7.9}, open: func(on vector.Distribution, devs int) (func() error, func(), error) {
			x, y := random(on, n*devs, 0), random(on, n*devs, 1)
			out := float32s.times.Apply(x, y)
			free, err := ready(x, y, out)
			return func() error { return float32s.times.ApplyTo(out, x, y) }, free, err
		}},
		reduce("Reduce", true, func(devs int) int { return n * devs }, map[int]float64{2: 1.97, 4: 3.9, 8: 7.7}),
		reduce("Reduce", false, func(int) int { return 4 * n }, map[int]float64{2: 1.9, 4: 3.7, 8: 7}),
		{name: "Scan", weak: true, each: 1, goals: map[int]float64{2: 1.9, 4: 3.7, 8: 7.2}, open: func(on vector.Distribution, devs int) (func() error, func(), error) {
			x := random(on, n*devs, 0)
			out := float32s.sums.Inclusive(x)
			free, err := ready(x, out)
			return func() error { return float32s.sums.InclusiveTo(out, x) }, free, err
		}},
		{name: fmt.Sprintf("heat, %d steps of %d^2", steps, side), weak: true, each: steps, goals: map[int]float64{2: 1.95, 4: 3.8, 8: 7.4}, open: func(on vector.Distribution, devs int) (func() error, func(), error) {
			x := inRows(random(on, side*side*devs, 0), side)
			free, err := ready(x)
			plate := matrix.Of(x, side*devs, side)
			return func() error {
				out := fivePoints.Times(steps).Apply(plate)
				defer out.Free()
				_ = out.View() // computes it, and does not wait
				return out.Err()
			}, free, err
		}},
		{name: fmt.Sprintf("k-means, %d x %d, k = %d", points, dim, clusters), weak: true, goals: map[int]float64{2: 1.95, 4: 3.85, 8: 7.5},
			sample: func(on vector.Distribution, devs int) (time.Duration, error) {
				x := inRows(coordinates.onDevice.With(0).Apply(vector.Indices(points*devs*dim, on)), dim)
				defer x.Free()
				return openSkelgo(matrix.Of(x, points*devs, dim), clusters).sample()
			}},
	}
}

// inRows is v with its rows of unit elements whole, in place of v.
func inRows(v *vector.Vector[float32], unit int) *vector.Vector[float32] {
	x := matrix.Of(v, v.Len()/unit, unit).To(v.Distribution()).Vector()
	if x != v {
		v.Free()
	}
	return x
}

// redistributions measures how fast a vector of n elements changes its
// distribution, against a copy between the first two devices.
func (s *session) redistributions(devs []*devices.Device, n int) (string, error) {
	weights := make([]float64, len(devs))
	for k := range weights {
		weights[k] = float64(1 + k)
	}
	goal := 0.8
	if !s.gpu() {
		goal = 0
	}
	block := vector.Block(devs...)
	t := cli.Table("from blocks to", "time", "GB/s into or out of a device", "of a copy between two", "goal")
	cli.AlignRight(t, 2, 3, 4, 5)
	v := float32s.random.onDevice.With(0).Apply(vector.Indices(n, block))
	defer v.Free()
	if err := v.Wait(); err != nil {
		return "", err
	}
	peer, err := s.peerBandwidth(devs, 4*int64(n)/2)
	if err != nil {
		return "", err
	}
	for _, to := range []vector.Distribution{vector.Copy(devs...), block.Weighted(weights...), vector.Single(devs[0])} {
		var times Times
		for range s.rounds {
			took, err := timeOf(devs, func() error {
				w := v.To(to)
				defer w.Free()
				return w.Err()
			})
			if err != nil {
				return "", err
			}
			times = append(times, took)
		}
		rate := 4 * float64(busiest(block, to, n)) / float64(times.Median())
		t.AppendRow(table.Row{to, duration(times.Median()), fmt.Sprintf("%.1f", rate/1e9), fmt.Sprintf("%.2f", rate/peer), optional(goal)})
	}
	return fmt.Sprintf("a copy of %d bytes from %s to %s: %.1f GB/s\n\n%s", 4*n/2, devs[0].ID(), devs[1].ID(), peer/1e9, t.Render()), nil
}

// peerBandwidth is that of copies between the first two devices.
func (s *session) peerBandwidth(devs []*devices.Device, bytes int64) (float64, error) {
	from, err := devs[0].Alloc(bytes)
	if err != nil {
		return 0, err
	}
	defer from.Free()
	to, err := devs[1].Alloc(bytes)
	if err != nil {
		return 0, err
	}
	defer to.Free()
	if err := from.Write(0, make([]byte, bytes)); err != nil {
		return 0, err
	}
	var times Times
	for range s.rounds {
		took, err := timeOf(devs, func() error { return to.Copy(0, from, 0, bytes) })
		if err != nil {
			return 0, err
		}
		times = append(times, took)
	}
	return float64(bytes) / float64(times.Median()), nil
}

// busiest is how many elements the device gets or gives away that gets or gives
// most, when n elements change their distribution.
func busiest(from, to vector.Distribution, n int) int {
	bounds := func(d vector.Distribution, k int) (lo, hi int) {
		i := slices.Index(d.Devices(), from.Devices()[k])
		if i < 0 {
			return 0, 0
		}
		return d.Part(n, i)
	}
	most := 0
	devs := from.Devices()
	for k := range devs {
		in, out := 0, 0
		for j := range devs {
			if j == k {
				continue
			}
			in += overlapping(bounds(from, j))(bounds(to, k))
			out += overlapping(bounds(from, k))(bounds(to, j))
		}
		most = max(most, in, out)
	}
	return most
}

// overlapping is how many elements two ranges have in common.
func overlapping(lo, hi int) func(lo, hi int) int {
	return func(a, b int) int { return max(0, min(hi, b)-max(lo, a)) }
}
