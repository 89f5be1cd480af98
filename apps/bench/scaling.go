package bench

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/skelgo/skelgo/apps"
	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// scaling checks the options of --scaling, measures, and prints.
func (c *Command) scaling(ctx context.Context, env *app.Env) error {
	only, err := c.only()
	if err != nil {
		return err
	}
	devs, err := app.Devices(c.Device)
	if err != nil {
		return err
	}
	if len(devs) < 2 {
		return app.InputErrorf("--scaling needs several devices (such as -d cuda:all); -d %s is one", devs[0].ID())
	}
	if c.Rounds < 1 {
		return app.InputErrorf("--rounds %d: it must be at least 1", c.Rounds)
	}
	log2 := benchmark.UsualLog2(devs[0])
	if c.MaxLog2 != nil {
		log2 = *c.MaxLog2
	}
	if log2 < benchmark.Smallest || log2 > most {
		return app.InputErrorf("--max-log2 %d: it must be from %d to %d", log2, benchmark.Smallest, most)
	}
	s := &benchmark.Suite{Context: ctx, Device: devs[0], MaxLog2: log2, Rounds: c.Rounds}
	return scale(s, env, devs, only)
}

// scale measures several devices against the first of them and, unless only chooses some
// of the rows, how fast containers change their distribution.
func scale(s *benchmark.Suite, env *app.Env, devs []*devices.Device, only *regexp.Regexp) error {
	rows := scales(1 << s.MaxLog2)
	rows = slices.DeleteFunc(rows, func(x *benchmark.Scaled) bool { return !only.MatchString(x.Name) })
	if len(rows) == 0 {
		return app.InputErrorf("--only %s: no such row of --scaling", only)
	}
	fmt.Fprint(env.Stdout, heading(s))
	for _, d := range devs[1:] {
		fmt.Fprintf(env.Stdout, "and: %s (%s)\n", d.ID(), d.Info().Name)
	}
	t := app.Table("what", "of", "devices", "time", "times faster", "goal")
	app.AlignRight(t, 3, 4, 5, 6)
	for _, x := range rows {
		if !s.GPU() {
			x.Goals = nil
		}
		if err := measureScaled(s, x, devs, t); err != nil {
			return fmt.Errorf("%s: %w", x.Name, err)
		}
	}
	fmt.Fprintf(env.Stdout, "\n%s\n", t.Render())
	if only.String() != "" {
		return nil
	}
	moves, err := redistributions(s, devs, 1<<s.MaxLog2)
	if err == nil {
		fmt.Fprintf(env.Stdout, "\n%s\n", moves)
	}
	return err
}

// counts returns the numbers of devices that are measured: 1, 2, 4, ..., and all.
func counts(devs int) (list []int) {
	for n := 1; n < devs; n *= 2 {
		list = append(list, n)
	}
	return append(list, devs)
}

// measureScaled measures all numbers of devices in turn, and adds a row for each.
func measureScaled(s *benchmark.Suite, x *benchmark.Scaled, devs []*devices.Device, t table.Writer) error {
	all := counts(len(devs))
	times := make([]benchmark.Times, len(all))
	for range s.Rounds {
		for i, n := range all {
			if err := s.Context.Err(); err != nil {
				return err
			}
			took, err := timeScaled(x, devs[:n])
			if err != nil {
				return err
			}
			times[i] = append(times[i], took)
		}
	}
	kind := "all"
	if x.Weak {
		kind = "a device"
	}
	for i, n := range all {
		ratio := float64(times[0].Median() / times[i].Median())
		if x.Weak {
			ratio *= float64(n)
		}
		t.AppendRow(table.Row{
			x.Name, kind, n, duration(times[i].Median()), fmt.Sprintf("%.2f", ratio), optional(x.Goals[n]),
		})
	}
	return nil
}

// timeScaled returns the time of x on the devices.
func timeScaled(x *benchmark.Scaled, devs []*devices.Device) (benchmark.Seconds, error) {
	on := vector.Block(devs...)
	if x.Sample != nil {
		took, err := x.Sample(on, len(devs))
		return benchmark.Seconds(took.Seconds()), err
	}
	call, free, err := x.Open(on, len(devs))
	defer free()
	if err != nil {
		return 0, err
	}
	took, err := timeOf(devs, call)
	return took / benchmark.Seconds(x.Each), err
}

// timeOf returns the time of a call in steady state: it enqueues calls for about a
// tenth of a second and then waits for all devices.
func timeOf(devs []*devices.Device, call func() error) (benchmark.Seconds, error) {
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
	if _, err := run(1); err != nil { // builds kernels and allocates memory
		return 0, err
	}
	once, err := run(1)
	if err != nil {
		return 0, err
	}
	n := devices.Agree(int(min(max(1, 100*time.Millisecond/max(once, time.Microsecond)), 1000)))
	took, err := run(n)
	return benchmark.Seconds(took.Seconds() / float64(n)), err
}

// scales returns what is measured, for n elements on each device.
func scales(n int) []*benchmark.Scaled {
	random := func(on vector.Distribution, n, first int) *vector.Vector[float32] {
		return float32s.random.OnDevice.With(first).Apply(vector.Indices(n, on))
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
	const steps = 256
	reduce := func(name string, weak bool, size func(devs int) int, goals map[int]float64) *benchmark.Scaled {
		return &benchmark.Scaled{
			Name: name, Weak: weak, Each: 1,
			Goals: goals,
			Open: func(on vector.Distribution, devs int) (func() error, func(), error) {
				x := random(on, size(devs), 0)
				free, err := ready(x)
				return func() error {
					total := float32s.sum.Apply(x)
					defer total.Free()
					return total.Err()
				}, free, err
			},
		}
	}
	list := []*benchmark.Scaled{
		{
			Name: "Map", Weak: true, Each: 1,
			Goals: map[int]float64{2: 1.99, 4: 3.97, 8: 7.9},
			Open: func(on vector.Distribution, devs int) (func() error, func(), error) {
				x := random(on, n*devs, 0)
				out := float32s.square.Apply(x)
				free, err := ready(x, out)
				return func() error { return float32s.square.ApplyTo(out, x) }, free, err
			},
		},
		{
			Name: "Zip", Weak: true, Each: 1,
			Goals: map[int]float64{2: 1.99, 4: 3.97, 8: 7.9},
			Open: func(on vector.Distribution, devs int) (func() error, func(), error) {
				x, y := random(on, n*devs, 0), random(on, n*devs, 1)
				out := float32s.times.Apply(x, y)
				free, err := ready(x, y, out)
				return func() error { return float32s.times.ApplyTo(out, x, y) }, free, err
			},
		},
		reduce("Reduce", true, func(devs int) int { return n * devs }, map[int]float64{2: 1.97, 4: 3.9, 8: 7.7}),
		reduce("Reduce", false, func(int) int { return 4 * n }, map[int]float64{2: 1.9, 4: 3.7, 8: 7}),
		{
			Name: "Scan", Weak: true, Each: 1,
			Goals: map[int]float64{2: 1.9, 4: 3.7, 8: 7.2},
			Open: func(on vector.Distribution, devs int) (func() error, func(), error) {
				x := random(on, n*devs, 0)
				out := float32s.sums.Inclusive(x)
				free, err := ready(x, out)
				return func() error { return float32s.sums.InclusiveTo(out, x) }, free, err
			},
		},
		{
			Name: fmt.Sprintf("heat, %d steps of %d^2", steps, side), Weak: true, Each: steps,
			Goals: map[int]float64{2: 1.95, 4: 3.8, 8: 7.4},
			Open: func(on vector.Distribution, devs int) (func() error, func(), error) {
				x := benchmark.InRows(random(on, side*side*devs, 0), side)
				free, err := ready(x)
				plate := matrix.Of(x, side*devs, side)
				return func() error {
					out := fivePoints.Times(steps).Apply(plate)
					defer out.Free()
					_ = out.View() // computes it, and does not wait
					return out.Err()
				}, free, err
			},
		},
	}
	list = append(list, &benchmark.Scaled{
		Name: "Sort, int32", Each: 1,
		Goals: map[int]float64{2: 1.6},
		Open: func(on vector.Distribution, _ int) (func() error, func(), error) {
			x := int32s.random.OnDevice.With(0).Apply(vector.Indices(n/4, on)) // 2^28 where n is 2^30
			ascending := skel.Ascending[int32]()
			out := ascending.Apply(x)
			free := func() {
				x.Free()
				out.Free()
			}
			return func() error { return ascending.ApplyTo(out, x) }, free, out.Wait()
		},
	})
	list = append(list, scaledKeys(n)...)
	for _, a := range apps.All {
		if a.Scaled != nil {
			list = append(list, a.Scaled(n)...)
		}
	}
	return list
}

// redistributions measures how fast a vector of n elements changes its
// distribution, against a copy between the first two devices.
func redistributions(s *benchmark.Suite, devs []*devices.Device, n int) (string, error) {
	weights := make([]float64, len(devs))
	for k := range weights {
		weights[k] = float64(1 + k)
	}
	goal := 0.8
	if !s.GPU() {
		goal = 0
	}
	block := vector.Block(devs...)
	t := app.Table("from blocks to", "time", "GB/s into or out of a device", "of a copy between two", "goal")
	app.AlignRight(t, 2, 3, 4, 5)
	v := float32s.random.OnDevice.With(0).Apply(vector.Indices(n, block))
	defer v.Free()
	if err := v.Wait(); err != nil {
		return "", err
	}
	peer, err := peerBandwidth(s, devs, 4*int64(n)/2)
	if err != nil {
		return "", err
	}
	for _, to := range []vector.Distribution{vector.Copy(devs...), block.Weighted(weights...), vector.Single(devs[0])} {
		var times benchmark.Times
		for range s.Rounds {
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
		t.AppendRow(table.Row{
			to, duration(times.Median()), fmt.Sprintf("%.1f", rate/1e9), fmt.Sprintf("%.2f", rate/peer), optional(goal),
		})
	}
	return fmt.Sprintf("a copy of %d bytes from %s to %s: %.1f GB/s\n\n%s",
		4*n/2, devs[0].ID(), devs[1].ID(), peer/1e9, t.Render()), nil
}

// peerBandwidth returns the bandwidth of copies between the first two devices.
func peerBandwidth(s *benchmark.Suite, devs []*devices.Device, bytes int64) (float64, error) {
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
	var times benchmark.Times
	for range s.Rounds {
		took, err := timeOf(devs, func() error { return to.Copy(0, from, 0, bytes) })
		if err != nil {
			return 0, err
		}
		times = append(times, took)
	}
	return float64(bytes) / float64(times.Median()), nil
}

// busiest returns the number of elements that the busiest device receives or sends
// when n elements change their distribution.
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

// overlapping returns a function that counts the elements that a range shares with
// lo to hi.
func overlapping(lo, hi int) func(lo, hi int) int {
	return func(a, b int) int { return max(0, min(hi, b)-max(lo, a)) }
}
