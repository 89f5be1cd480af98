package drivertest

import (
	"testing"

	"github.com/skelgo/skelgo/devices/driver"
)

// clear clears ranges of every alignment.
func (s suite) clear(t *testing.T) {
	const n = 5000
	b := s.alloc(t, n)
	c, ok := b.(driver.Clearer)
	if !ok {
		t.Skip("buffers do not implement driver.Clearer")
	}
	want := pattern(n)
	must(t, "write")(b.Write(0, want))
	for _, r := range [][2]int64{{0, 0}, {0, 1}, {17, 3}, {64, 64}, {129, 1000}, {2048, 2048}, {n - 5, 5}, {n, 0}} {
		must(t, "clear")(c.Clear(r[0], r[1]))
		clear(want[r[0] : r[0]+r[1]])
		s.want(t, b, 0, want)
	}
	fails(t, "clear past the end")(c.Clear(1, n))
	fails(t, "clear before the beginning")(c.Clear(-1, 1))
	fails(t, "clear of a negative length")(c.Clear(4, -1))
}

// fetches checks that each Fetch returns the contents at the time of the call,
// no matter when and in which order they are waited for.
func (s suite) fetches(t *testing.T) {
	for _, n := range []int64{1, 1000, 100_000} {
		b := s.alloc(t, 4*n)
		f, ok := b.(driver.Fetcher)
		if !ok {
			t.Skip("buffers do not implement driver.Fetcher")
		}
		k := s.build(t, fill)
		const reads = 30
		var got [reads][]int32
		var events [reads]driver.Event
		for i := range got {
			got[i] = make([]int32, n)
			enqueued(t)(k.Launch(driver.Grid{Groups: 4, Lanes: 32}, driver.Memory(b), driver.Value(n),
				driver.Value(int32(i))))
			var err error
			if events[i], err = f.Fetch(0, driver.Bytes(got[i])); err != nil {
				t.Fatal("fetch:", err)
			}
		}
		for i := range got {
			i = (7*i + 3) % reads
			if err := events[i].Wait(); err != nil {
				t.Fatal("fetch:", err)
			}
			for j, x := range got[i] {
				if x != int32(i+j) {
					t.Fatalf("fetch %d of %d elements: element %d is %d, not %d", i, n, j, x, i+j)
				}
			}
		}
		fails(t, "fetch past the end")(f.Fetch(1, make([]byte, 4*n)))
	}
}

// shortWrites checks that short writes run in order although nothing waits for
// them, and that they copy their data before their event is done.
func (s suite) shortWrites(t *testing.T) {
	for _, n := range []int64{1, 4, 8, 12, 24, 100, 128, 4096, 4097} {
		b, c := s.alloc(t, 3*n), s.alloc(t, 40*n)
		must(t, "write")(b.Write(0, make([]byte, 3*n)))
		p := make([]byte, n)
		for i := range int64(40) {
			for j := range p {
				p[j] = byte(i)
			}
			must(t, "write")(b.Write(n, p))
			clear(p)
			enqueued(t)(c.Copy(i*n, b, n, n))
		}
		want := make([]byte, 40*n)
		for i := range want {
			want[i] = byte(int64(i) / n)
		}
		s.want(t, c, 0, want)
	}
}

// recordings runs recorded launches, copies and clears.
func (s suite) recordings(t *testing.T) {
	r, ok := s.dev.(driver.Recorder)
	if !ok || s.dev.Info().Native {
		t.Skip("the device does not implement driver.Recorder")
	}
	const n = 1000
	a, b := s.alloc(t, 4*n), s.alloc(t, 4*n)
	k := s.build(t, step)
	start := ramp(n, 3)
	must(t, "write")(a.Write(0, driver.Bytes(start)))
	must(t, "write")(b.Write(0, driver.Bytes(start)))
	if err := r.Record(); err != nil {
		t.Fatal("record:", err)
	}
	launch := func(k driver.Kernel, i int32) {
		enqueued(t)(k.Launch(driver.Grid{Groups: 4, Lanes: 32}, driver.Memory(a), driver.Value(int64(n)),
			driver.Value(i)))
	}
	launch(k, 7)
	enqueued(t)(b.Copy(0, a, 0, 4*n))
	if c, ok := a.(driver.Clearer); ok {
		enqueued(t)(c.Clear(0, 8))
	}
	launch(k, 9)
	fails(t, "read while recording")(a.Read(0, make([]byte, 4)))
	rec, err := r.EndRecord()
	if err != nil {
		t.Fatal("end recording:", err)
	}
	s.want(t, a, 0, driver.Bytes(start)) // nothing has been executed
	s.want(t, b, 0, driver.Bytes(start))
	wantA, wantB := start, make([]int32, n)
	for range 3 {
		must(t, "replay")(rec.Replay())
		for i := range wantA {
			wantB[i] = 3*wantA[i] + 7
			wantA[i] = wantB[i]
			if _, ok := a.(driver.Clearer); ok && i < 2 {
				wantA[i] = 0
			}
			wantA[i] = 3*wantA[i] + 9
		}
	}
	s.want(t, a, 0, driver.Bytes(wantA))
	s.want(t, b, 0, driver.Bytes(wantB))
	if err := rec.Close(); err != nil {
		t.Error("close:", err)
	}
	if _, err := r.EndRecord(); err == nil {
		t.Error("EndRecord without Record returned no error")
	}
	launch(k, 1) // executed normally
	for i := range wantA {
		wantA[i] = 3*wantA[i] + 1
	}
	s.want(t, a, 0, driver.Bytes(wantA))
}
