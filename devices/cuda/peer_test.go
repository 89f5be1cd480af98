package cuda_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/skelgo/skelgo/devices/cuda/internal/fakecuda"
	"github.com/skelgo/skelgo/devices/driver"
)

// TestRandomPeersOnFakes checks that random programs of launches, copies and
// transfers on three devices give the results of sequential execution,
// regardless of the schedule.
func TestRandomPeersOnFakes(t *testing.T) {
	seeds := uint64(8)
	if testing.Short() {
		seeds = 1
	}
	for name, eager := range schedules {
		for seed := range seeds {
			t.Run(fmt.Sprint(name, seed), func(t *testing.T) { randomPeers(t, eager, rand.New(rand.NewPCG(seed, 7))) })
		}
	}
}

func randomPeers(t *testing.T, eager func(int) bool, r *rand.Rand) {
	const devs, each, words, steps = 3, 2, 60_000, 60
	_, found := fakes(t, fakecuda.Options{Devices: devs, Eager: eager})
	var kernels, sums []driver.Kernel
	var bufs []driver.Buffer
	var want [][]int32
	for _, d := range found {
		kernels, sums = append(kernels, build(t, d, advance2)), append(sums, build(t, d, addTo))
		for range each {
			b, x := alloc(t, d, 4*words), make([]int32, words)
			must(t)(b.Write(0, driver.Bytes(x)))
			bufs, want = append(bufs, b), append(want, x)
		}
	}
	var log []string
	for range steps {
		a, b := r.IntN(len(bufs)), r.IntN(len(bufs))
		n := 1 + r.IntN(words-1)
		if r.IntN(3) == 0 {
			n = 1 + r.IntN(20_000)
		}
		to, from := r.IntN(words-n+1), r.IntN(words-n+1)
		switch op := r.IntN(10); {
		case op < 2:
			k := r.Int32N(100)
			log = append(log, fmt.Sprintf("launch %d %d", a, k))
			must2(t, kernels[a/each], bufs[a], words, k)
			for i, x := range want[a] {
				want[a][i] = 3*x + k
			}
		case op < 4 && a != b && a/each == b/each:
			log = append(log, fmt.Sprintf("add %d to %d", b, a))
			mustAdd(t, sums[a/each], bufs[a], bufs[b], words)
			for i, x := range want[b] {
				want[a][i] += x
			}
		case op < 8 && a != b:
			log = append(log, fmt.Sprintf("copy %d from %d of %d to %d of %d", n, from, b, to, a))
			copied := driver.Buffer.Copy
			if a/each != b/each {
				copied = func(x driver.Buffer, off int64, src driver.Buffer, from, n int64) (driver.Event, error) {
					return x.(driver.PeerCopy).CopyPeer(off, src, from, n)
				}
			}
			if _, err := copied(bufs[a], int64(4*to), bufs[b], int64(4*from), int64(4*n)); err != nil {
				t.Fatal(err)
			}
			copy(want[a][to:to+n], want[b][from:from+n])
		case op < 9:
			log = append(log, fmt.Sprintf("write %d to %d of %d", n, to, a))
			x := want[a][to : to+n]
			for i := range x {
				x[i] = r.Int32()
			}
			if _, err := bufs[a].Write(int64(4*to), driver.Bytes(slices.Clone(x))); err != nil {
				t.Fatal(err)
			}
		default:
			log = append(log, fmt.Sprintf("read %d", a))
			same(t, bufs[a], want[a], log)
		}
	}
	for i, b := range bufs {
		same(t, b, want[i], append(log, fmt.Sprintf("read %d", i)))
	}
}

// addTo adds the elements of y to those of x.
var addTo = driver.Program{Name: "addTo", C: `KERNEL addTo(CTX_K GLOBAL i32 *x, GLOBAL const i32 *y, i64 n) {
	for (i64 i = group_id() * lanes() + lane_id(); i < n; i += groups() * lanes())
		x[i] = (i32)((u32)x[i] + (u32)y[i]);
}`}

func mustAdd(t *testing.T, k driver.Kernel, x, y driver.Buffer, n int64) {
	t.Helper()
	read := driver.Memory(y)
	read.Reads = true
	if _, err := k.Launch(driver.Grid{Groups: 3, Lanes: 32}, driver.Memory(x), read, driver.Value(n)); err != nil {
		t.Fatal(err)
	}
}

// TestPeerReads checks that a short copy to another device delays only work that may write what it
// reads, however many copies there are.
func TestPeerReads(t *testing.T) {
	const n, copies = 100, 50
	c, devs := fakes(t, fakecuda.Options{Devices: 3})
	k := build(t, devs[0], addTo)
	a, b := alloc(t, devs[0], 4*n), alloc(t, devs[0], 4*n)
	var there []driver.Buffer
	for _, d := range devs[1:] {
		there = append(there, alloc(t, d, 4*n))
	}
	must(t)(a.Write(0, make([]byte, 4*n)))
	must(t)(b.Write(0, make([]byte, 4*n)))
	for _, to := range there {
		must(t)(to.(driver.PeerCopy).CopyPeer(0, a, 0, 4*n))
	}
	waits := func(work func()) int {
		before := c.Count("cuStreamWaitEvent")
		work()
		return c.Count("cuStreamWaitEvent") - before
	}
	if w := waits(func() { mustAdd(t, k, b, a, n) }); w != 0 {
		t.Errorf("a launch that reads what is copied waits for %d copies", w)
	}
	if w := waits(func() { must(t)(a.Read(0, make([]byte, 4*n))) }); w != 0 {
		t.Errorf("a read of what is copied waits for %d copies", w)
	}
	if w := waits(func() { mustAdd(t, k, a, b, n) }); w != 2 {
		t.Errorf("a launch that writes what is copied waits for %d copies, want 2", w)
	}
	if w := waits(func() { mustAdd(t, k, a, b, n) }); w != 0 {
		t.Errorf("the next launch waits for %d copies", w)
	}
	for range copies {
		must(t)(there[0].(driver.PeerCopy).CopyPeer(0, a, 0, 4*n))
	}
	if w := waits(func() { mustAdd(t, k, a, b, n) }); w > 8 {
		t.Errorf("a launch waits for %d of %d copies", w, copies)
	}
	freed, err := devs[0].Alloc(4 * n)
	if err != nil {
		t.Fatal(err)
	}
	must(t)(freed.Write(0, make([]byte, 4*n)))
	must(t)(there[0].(driver.PeerCopy).CopyPeer(0, freed, 0, 4*n))
	if err := freed.Free(); err != nil {
		t.Error(err)
	}
	must(t)(there[1].(driver.PeerCopy).CopyPeer(0, b, 0, 4*n))
	if err := devs[2].Close(); err != nil { // later work on b need not wait for its copies
		t.Error(err)
	}
	mustAdd(t, k, b, b, n)
}

func same(t *testing.T, b driver.Buffer, want []int32, log []string) {
	t.Helper()
	got := make([]int32, len(want))
	must(t)(b.Read(0, driver.Bytes(got)))
	for i, w := range want {
		if got[i] != w {
			t.Fatalf("element %d is %d, want %d, after %q", i, got[i], w, log)
		}
	}
}

// TestPeersBesideCopies checks that a copy within a device waits neither for a
// peer copy to other bytes of its target nor for another device's read of its
// source.
func TestPeersBesideCopies(t *testing.T) {
	const half = 100 << 10
	c, devs := fakes(t, fakecuda.Options{Devices: 2})
	a, b, out := alloc(t, devs[0], half), alloc(t, devs[1], 2*half), alloc(t, devs[0], 2*half)
	for i, x := range []driver.Buffer{a, b} {
		p := make([]byte, x.Len())
		for k := range p {
			p[k] = byte(k%97 + i)
		}
		must(t)(x.Write(0, p))
	}
	must(t)(out.(driver.Clearer).Clear(0, 2*half)) // makes the queue wait for the uploads
	must(t)(out.Copy(0, a, 0, half))
	before := c.Count("cuStreamWaitEvent")
	must(t)(out.(driver.PeerCopy).CopyPeer(half, b, half, half))
	waits := c.Count("cuStreamWaitEvent") - before
	must(t)(b.(driver.PeerCopy).CopyPeer(0, a, 0, half))
	before = c.Count("cuStreamWaitEvent")
	must(t)(out.Copy(0, a, 0, half))
	if n := c.Count("cuStreamWaitEvent"); n != before {
		t.Errorf("a copy waited for %d independent transfers (a peer copy waits for %d)", n-before, waits)
	}
	must(t)(out.Copy(half-4, a, 0, 8))
	if n := c.Count("cuStreamWaitEvent"); n != before+1 {
		t.Errorf("a copy to bytes that are under way waited for %d transfers", n-before)
	}
}
