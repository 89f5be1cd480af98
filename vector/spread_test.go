package vector_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// fakes returns devices of one driver that can copy from each other.
func fakes(t *testing.T, n int) (*drivertest.Fake, []*devices.Device) {
	t.Helper()
	f := drivertest.NewFake(drivertest.Options{Devices: n, Lazy: true})
	var devs []*devices.Device
	for i := range n {
		d := devices.Wrap(fmt.Sprintf("fake:%d", i), f.Device(i))
		t.Cleanup(func() {
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		})
		devs = append(devs, d)
	}
	devicestest.NoLeaks(t, devs...)
	return f, devs
}

// adder combines replicas of int32 on the host, through the driver.
type adder struct{}

func (adder) CombineInto(dst, src *array.Array) error {
	a, b := make([]byte, 4*dst.Len()), make([]byte, 4*dst.Len())
	to, err := dst.Overwrite()
	if err != nil {
		return err
	}
	from, err := src.Memory()
	if err != nil {
		return err
	}
	if err := to.Read(0, a); err != nil {
		return err
	}
	if err := from.Read(0, b); err != nil {
		return err
	}
	for i := range a { // sums of bytes suffice to see what was combined
		a[i] += b[i]
	}
	return to.Write(0, a)
}

func (adder) FillIdentity(dst *array.Array) error {
	mem, err := dst.Overwrite()
	if err != nil {
		return err
	}
	return mem.Clear(0, mem.Len())
}

func (adder) Combines(elemSize int) bool { return elemSize == 4 }

// added is the distribution over replicas that adder combines.
func added(devs ...*devices.Device) vector.Distribution {
	return vector.Distribution(array.Copy(devs...).CombinedBy(adder{}))
}

// everywhere returns distributions of every kind.
func everywhere(devs []*devices.Device) []vector.Distribution {
	return []vector.Distribution{
		vector.Single(devs[0]), vector.Single(devs[2]), vector.Copy(devs...), vector.Copy(devs[1:]...), added(devs...),
		vector.Block(devs...), vector.Block(devs...).Weighted(1, 2, 4), vector.Block(devs[1], devs[0]),
		vector.Block(devs...).Weighted(0, 1, 0),
		vector.Overlap(1, vector.Wrap, devs...), vector.Overlap(2, vector.Neutral, devs...).Weighted(3, 2, 1),
	}
}

// TestRedistribute moves vectors and matrices from every distribution to every other, and
// matrices through a third one. No byte may pass through the host.
func TestRedistribute(t *testing.T) {
	f, devs := fakes(t, 3)
	all := everywhere(devs)
	rapid.Check(t, func(t *rapid.T) {
		rows, cols := rapid.IntRange(0, 40).Draw(t, "rows"), rapid.IntRange(0, 5).Draw(t, "cols")
		where := func(label string) vector.Distribution { return rapid.SampledFrom(all).Draw(t, label) }
		s := ints(rows * cols)
		m := matrix.From(rows, cols, s, where("from"))
		f.Reset()
		n := m.To(where("over")).To(where("to"))
		if f.Bytes(drivertest.Read) != 0 || f.Bytes(drivertest.Write) != 0 {
			t.Fatalf("the host read %d bytes and wrote %d, want 0", f.Bytes(drivertest.Read), f.Bytes(drivertest.Write))
		}
		got, err := n.Host()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(s, append([]int32{}, got...)); diff != "" {
			t.Fatalf("matrix (-want +got):\n%s", diff)
		}
		v := vector.From(s, where("of the vector")).To(where("of the copy"))
		if got, err := v.Host(); err != nil || !cmp.Equal(s, append([]int32{}, got...)) {
			t.Fatalf("vector: %v, %v; want %v", got, err, s)
		}
	})
}

// TestOnlyWhatMustMove counts the bytes that devices copy from each other.
func TestOnlyWhatMustMove(t *testing.T) {
	f, devs := fakes(t, 3)
	const n = 12
	block, skewed := vector.Block(devs...), vector.Block(devs...).Weighted(1, 1, 2)
	for _, c := range []struct {
		from, to vector.Distribution
		bytes    int64 // copied between devices
	}{
		{block, vector.Copy(devs...), 2 * 4 * n},          // each device gets the parts of the two others
		{block, vector.Single(devs[1]), 4 * (4 + 4)},      // one device gets the parts of the two others
		{block, skewed, 4 * (1 + 2)},                      // parts of 4, 4, 4 elements become 3, 3, 6
		{vector.Copy(devs...), block, 0},                  // every device has all elements
		{vector.Copy(devs...), vector.Single(devs[2]), 0}, // here too
		{vector.Single(devs[0]), block, 4 * (4 + 4)},
		{block, vector.Overlap(3, vector.Nearest, devs...), 0}, // halos are copied when a stencil needs them
	} {
		v := vector.From(ints(n), c.from)
		f.Reset()
		w := v.To(c.to)
		if got := f.Bytes(drivertest.Peer); got != c.bytes {
			t.Errorf("%v to %v: %d bytes copied between devices, want %d", c.from, c.to, got, c.bytes)
		}
		wantHost(t, w, ints(n))
		v.Free()
		w.Free()
	}
}

// TestPlaces checks where parts end: at round numbers if there are many rows, otherwise at the
// nearest row.
func TestPlaces(t *testing.T) {
	_, devs := fakes(t, 3)
	for _, c := range []struct {
		d    vector.Distribution
		rows int
		want []int
	}{
		{vector.Block(devs...), 0, []int{0, 0, 0, 0}},
		{vector.Block(devs...), 1, []int{0, 0, 1, 1}},
		{vector.Block(devs...), 2, []int{0, 1, 1, 2}},
		{vector.Block(devs...), 12, []int{0, 4, 8, 12}},
		{vector.Block(devs...).Weighted(1, 2, 4), 7, []int{0, 1, 3, 7}},
		{vector.Block(devs...).Weighted(0, 1, 0), 7, []int{0, 0, 7, 7}},
		{vector.Block(devs...), 3 << 30, []int{0, 1 << 30, 2 << 30, 3 << 30}},
		{vector.Block(devs...), 3<<30 + 100, []int{0, 1 << 30, 2 << 30, 3<<30 + 100}},
	} {
		p := array.Distribution(c.d).Place(c.rows, 2)
		if diff := cmp.Diff(c.want, p.Rows); diff != "" {
			t.Errorf("%v, %d rows (-want +got):\n%s", c.d, c.rows, diff)
		}
		if lo, hi := p.Bounds(1); lo != 2*c.want[1] || hi != 2*c.want[2] {
			t.Errorf("%v, %d rows: Bounds(1) = %d, %d; want %d, %d", c.d, c.rows, lo, hi, 2*c.want[1], 2*c.want[2])
		}
		if lo, hi := c.d.Part(c.rows, 1); lo != c.want[1] || hi != c.want[2] {
			t.Errorf("Part(%d, 1) of %v is [%d, %d)", c.rows, c.d, lo, hi)
		}
	}
}

// TestDistributionsEqual checks that Equal compares everything in a distribution.
func TestDistributionsEqual(t *testing.T) {
	_, devs := fakes(t, 3)
	all := append(everywhere(devs), vector.Distribution{},
		vector.Overlap(1, vector.Nearest, devs...), vector.Overlap(2, vector.Wrap, devs...))
	again := append(everywhere(devs), vector.Distribution{}, vector.Overlap(1, vector.Nearest, devs...),
		vector.Overlap(2, vector.Wrap, devs...))
	for i, a := range all {
		for j, b := range again {
			if a.Equal(b) != (i == j) {
				t.Errorf("(%v).Equal(%v) = %t, want %t", a, b, a.Equal(b), i == j)
			}
		}
	}
	if !vector.Block(devs[1]).Equal(vector.Single(devs[1])) || vector.Copy(devs[1]).Kind() != vector.OneDevice {
		t.Error("Block and Copy over one device are not Single")
	}
}

// TestPartsFail makes a call of one device fail. The error must name the device, all devices must work
// afterwards, and nothing may leak.
func TestPartsFail(t *testing.T) {
	f, devs := fakes(t, 3)
	for _, op := range []drivertest.Op{drivertest.Alloc, drivertest.Write, drivertest.Peer, drivertest.Read} {
		for n := 1; ; n++ {
			f.FailAt(op, n, 1, nil)
			v := vector.From(ints(12), vector.Block(devs...))
			w := v.To(vector.Copy(devs...))
			_, err := w.Host()
			for _, x := range []*vector.Vector[int32]{w, v} {
				x.Free()
			}
			if err == nil {
				if n == 1 {
					t.Errorf("%s: never called", op)
				}
				break // there are fewer calls
			}
			if !strings.Contains(err.Error(), "fake:") {
				t.Errorf("%s, call %d: error %q does not name a device", op, n, err)
			}
			f.FailAt(op, 1<<30, 1, nil)
			x := vector.From(ints(12), vector.Block(devs...))
			wantHost(t, x, ints(12))
			x.Free()
		}
		f.FailAt(op, 1<<30, 1, nil)
	}
}

// TestPart asks for the parts of distributions that are not cut.
func TestPart(t *testing.T) {
	_, devs := fakes(t, 2)
	for k := range devs {
		if lo, hi := vector.Copy(devs...).Part(10, k); lo != 0 || hi != 10 {
			t.Errorf("replica %d is [%d, %d)", k, lo, hi)
		}
	}
	if lo, hi := vector.Single(devs[1]).Part(10, 0); lo != 0 || hi != 10 {
		t.Errorf("all is [%d, %d)", lo, hi)
	}
	wantPanic(t, "vector: Part: device 2 of block", func() { vector.Block(devs...).Part(10, 2) })
}

// TestWeights checks that bad weights panic, and that weights of devices that do not exist are an error
// instead.
func TestWeights(t *testing.T) {
	_, devs := fakes(t, 2)
	d := vector.Block(devs...)
	for _, w := range [][]float64{{1}, {1, 2, 3}, {0, 0}, {-1, 2}, {math.NaN(), 1}, {math.Inf(1), 1}, {math.MaxFloat64,
		math.MaxFloat64}} {
		wantPanic(t, "vector: Weighted: ", func() { d.Weighted(w...) })
	}
	t.Setenv("SKEL_DEVICE", "none:0")
	for _, d := range []vector.Distribution{vector.Block().Weighted(1, 2), vector.Block().Measured(), added()} {
		if d.Err() == nil || vector.New[int32](3, d).Err() == nil {
			t.Errorf("%v: no error for a device that does not exist", d)
		}
	}
}

// TestCopiesAreMadeAnew makes an update of a copy on another device fail. The next update must succeed, and the
// container must not carry the error.
func TestCopiesAreMadeAnew(t *testing.T) {
	f, devs := fakes(t, 2)
	v := vector.From(ints(12), vector.Single(devs[0]))
	defer v.Free()
	there := array.PlaceOn(devs[1], 12)
	at := func() error { _, err := arrayOf(v).At(there); return err }
	if err := at(); err != nil {
		t.Fatal(err)
	}
	if err := v.Set(0, 7); err != nil {
		t.Fatal(err)
	}
	f.FailAt(drivertest.Peer, 1, 1, nil)
	if err := at(); err == nil || !strings.Contains(err.Error(), "fake:1") {
		t.Errorf("a copy that fails: error %v, want one that names fake:1", err)
	}
	if err := at(); err != nil {
		t.Errorf("a copy after one that failed: error %v", err)
	}
	if err := v.Err(); err != nil {
		t.Errorf("the container carries the error %v of its copy", err)
	}
}
