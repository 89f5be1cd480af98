package vector_test

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
	"github.com/skelgo/skelgo/vector"
)

func TestChunks(t *testing.T) {
	eachPlace(t, func(t *testing.T, on vector.Distribution) {
		v := vector.From(ints(1000), on)
		defer v.Free()
		for _, c := range []struct {
			n    int
			want []int // lengths
		}{
			{300, []int{300, 300, 300, 100}},
			{500, []int{500, 500}},
			{999, []int{999, 1}},
			{1000, []int{1000}},
			{1001, []int{1000}},
			{math.MaxInt, []int{1000}},
		} {
			var got []int
			for s, err := range v.Chunks(c.n) {
				ok(t, err)
				got = append(got, len(s))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("chunks of %d have lengths %v, want %v", c.n, got, c.want)
			}
		}

		var all []int32
		for s, err := range v.Chunks(400) {
			ok(t, err)
			if all = append(all, s...); len(all) == 800 {
				break
			}
		}
		wantSame(t, "two chunks", all, ints(800))
		chunks := v.Chunks(700)
		for range 2 { // it can be used again
			all = nil
			for s, err := range chunks {
				ok(t, err)
				all = append(all, s...)
				clear(s) // the chunk is not the vector
			}
			wantSame(t, "chunks of 700", all, ints(1000))
		}

		ok(t, v.Set(999, -1)) // seen by a loop that has begun
		for s, err := range v.Chunks(500) {
			ok(t, err)
			ok(t, v.Set(700, -7))
			all = append(all[:0], s...)
		}
		if all[200] != -7 || all[499] != -1 {
			t.Errorf("elements 700 and 999 are %d and %d, want -7 and -1", all[200], all[499])
		}

		empty := vector.New[int32](0, on)
		for range empty.Chunks(5) {
			t.Error("a chunk of no elements")
		}
		empty.Free()
	})
}

// TestChunksFail makes a read fail after the first chunk.
func TestChunksFail(t *testing.T) {
	f, d := fake(t, drivertest.Options{})
	v := vector.From(ints(1000), vector.Single(d))
	defer v.Free()
	f.FailAt(drivertest.Read, 2, 1, nil)
	var got []int
	var last error
	for s, err := range v.Chunks(300) {
		got, last = append(got, len(s)), err
	}
	if !slices.Equal(got, []int{300, 0}) || !errors.Is(last, drivertest.ErrInjected) {
		t.Errorf("chunks of %v elements, then error %v; want one of 300, and the injected error", got, last)
	}
	if err := v.Err(); !errors.Is(err, drivertest.ErrInjected) {
		t.Errorf("Err() = %v, want the injected error", err)
	}
}

// TestChunksKeepNothing checks that the host does not keep the elements of chunks: a device is asked for them
// again.
func TestChunksKeepNothing(t *testing.T) {
	f, d := fake(t, drivertest.Options{})
	v := vector.From(ints(1000), vector.Single(d))
	defer v.Free()
	for range 2 {
		f.Reset()
		for _, err := range v.Chunks(100) {
			ok(t, err)
		}
		if f.Count(drivertest.Read) != 10 || f.Bytes(drivertest.Read) != 4000 {
			t.Errorf("%d reads of %d bytes, want 10 of 4000", f.Count(drivertest.Read), f.Bytes(drivertest.Read))
		}
	}
}

// TestChunksOfPending reads chunks of an expression that has not been computed.
func TestChunksOfPending(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		want := ints(1000)
		for i := range want {
			want[i]++
		}
		wantElements(t, "pending", addOne.Apply(vector.From(ints(1000), vector.Single(d))), want)
	})
	eachPages(t, func(t *testing.T, on vector.Distribution) {
		if !strings.HasPrefix(on.Device().ID(), "opencl") {
			t.Skip("the fake has no kernels")
		}
		const n = fitting / 2
		want := ints(n)
		v := vector.FromReader[int32](bytes.NewReader(driver.Bytes(slices.Clone(want))), n, on)
		for i := range want {
			want[i]++
		}
		got := addOne.Apply(v)
		for i := range want {
			want[i]++
		}
		wantElements(t, "pending", addOne.Apply(got), want)
	})
}

// TestSourcesAndPages changes and reads vectors that share few pages, in random order.
func TestSourcesAndPages(t *testing.T) {
	on := pagedFake(t)
	const n = 100_000
	rapid.Check(t, func(t *rapid.T) {
		source := ints(n)
		var all []*vector.Vector[int32]
		var want [][]int32
		for range 5 {
			all = append(all, vector.FromReader[int32](bytes.NewReader(driver.Bytes(source)), n, on))
			want = append(want, slices.Clone(source))
		}
		defer func() {
			for _, v := range all {
				v.Free()
			}
		}()
		fail := func(err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		for range rapid.IntRange(1, 12).Draw(t, "calls") {
			k := rapid.IntRange(0, 4).Draw(t, "vector")
			lo := rapid.IntRange(0, n).Draw(t, "from")
			hi := rapid.IntRange(lo, n).Draw(t, "to")
			switch rapid.IntRange(0, 3).Draw(t, "call") {
			case 0:
				s := slices.Repeat([]int32{rapid.Int32().Draw(t, "value")}, hi-lo)
				fail(all[k].Write(lo, s))
				copy(want[k][lo:], s)
			case 1:
				from := rapid.IntRange(0, 4).Draw(t, "copied vector")
				fail(all[k].CopyFrom(all[from]))
				want[k] = slices.Clone(want[from])
			case 2:
				at := 0
				for s, err := range all[k].Chunks(1 + hi - lo) {
					if fail(err); !slices.Equal(s, want[k][at:at+len(s)]) {
						t.Fatalf("a chunk of %d at %d of vector %d differs", len(s), at, k)
					}
					if at += len(s); at > 20*len(s) {
						break
					}
				}
			case 3:
				s, err := all[k].HostRange(lo, hi)
				if fail(err); !slices.Equal(s, want[k][lo:hi]) {
					t.Fatalf("elements %d to %d of vector %d differ", lo, hi, k)
				}
			}
		}
	})
}

// TestSourceGoroutines reads a vector over pages from several goroutines.
func TestSourceGoroutines(t *testing.T) {
	const n = fitting / 2
	s := ints(n)
	v := vector.FromReader[int32](bytes.NewReader(driver.Bytes(s)), n, pagedFake(t))
	defer v.Free()
	var all sync.WaitGroup
	for k := range 4 {
		all.Go(func() {
			lo := 0
			for c, err := range v.Chunks(50_000 + 1000*k) {
				if err != nil || !slices.Equal(c, s[lo:lo+len(c)]) {
					t.Errorf("goroutine %d: the chunk at %d is wrong, %v", k, lo, err)
				}
				lo += len(c)
			}
		})
	}
	all.Wait()
}

// TestFromSeqErrors makes vectors of blocks that hold too few or too many elements.
func TestFromSeqErrors(t *testing.T) {
	eachPlace(t, func(t *testing.T, on vector.Distribution) {
		for _, c := range []struct {
			n    int
			have []int
			want string // "" if there is no error
		}{
			{0, nil, ""},
			{0, []int{0, 0}, ""},
			{0, []int{1}, "vector: FromSeq: the blocks hold more than 0 elements"},
			{10, nil, "vector: FromSeq: the blocks hold 0 elements, not 10"},
			{10, []int{5, 0, 4}, "vector: FromSeq: the blocks hold 9 elements, not 10"},
			{10, []int{5, 0, 5, 0}, ""},
			{10, []int{5, 5, 1}, "vector: FromSeq: the blocks hold more than 10 elements"},
			{10, []int{11}, "vector: FromSeq: the blocks hold more than 10 elements"},
		} {
			stopped := false
			v := vector.FromSeq(c.n, func(yield func([]int32) bool) {
				for _, k := range c.have {
					if !yield(ints(k)) {
						stopped = true
						return
					}
				}
			}, on)
			if v.Len() != c.n {
				t.Errorf("%d elements of %v: length %d", c.n, c.have, v.Len())
			}
			_, err := v.Host()
			if c.want == "" {
				ok(t, v.Err())
				ok(t, err)
			} else if err == nil || v.Err() == nil || err.Error() != c.want || v.Err().Error() != c.want {
				t.Errorf("%d elements of %v: error %v, Err() = %v; want %s", c.n, c.have, err, v.Err(), c.want)
			} else if more := strings.Contains(c.want, "more"); more != stopped {
				t.Errorf("%d elements of %v: stopped %t, want %t", c.n, c.have, stopped, more)
			}
			v.Free()
		}
	})
}
