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
	var kernels []driver.Kernel
	var bufs []driver.Buffer
	var want [][]int32
	for _, d := range found {
		kernels = append(kernels, build(t, d, advance2))
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
