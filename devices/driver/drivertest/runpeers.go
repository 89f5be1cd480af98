package drivertest

import (
	"errors"
	"testing"

	"github.com/skelgo/skelgo/devices/driver"
)

// RunPeers tests copies between two devices that can reach each other's memory.
func RunPeers(t *testing.T, d, e driver.Device) {
	here, there := suite{d}, suite{e}
	const n = 100_003
	a, b := here.alloc(t, 4*n), there.alloc(t, 4*n)
	pa, isA := a.(driver.PeerCopy)
	pb, isB := b.(driver.PeerCopy)
	if !isA || !isB {
		t.Fatalf("buffers of types %T and %T do not implement driver.PeerCopy", a, b)
	}
	t.Run("Ranges", func(t *testing.T) {
		p := pattern(4 * n)
		must(t, "write")(a.Write(0, p))
		must(t, "write")(b.Write(0, make([]byte, 4*n)))
		must(t, "copy")(pb.CopyPeer(17, a, 1001, 5003))
		there.want(t, b, 17, p[1001:][:5003])
		there.want(t, b, 0, make([]byte, 17))
		there.want(t, b, 17+5003, make([]byte, 100))
		must(t, "copy of nothing")(pb.CopyPeer(0, a, 4*n, 0))
		fails(t, "copy past the end")(pb.CopyPeer(1, a, 0, 4*n))
		fails(t, "copy from past the end")(pb.CopyPeer(0, a, 1, 4*n))
		fails(t, "copy to before the beginning")(pb.CopyPeer(-1, a, 0, 4))
		fails(t, "copy of a negative length")(pb.CopyPeer(0, a, 8, -4))
		other := suite{NewFake(Options{Name: "another"}).Device(0)}
		if _, err := pb.CopyPeer(0, other.alloc(t, 4), 0, 4); !errors.Is(err, driver.ErrNoPeer) {
			t.Errorf("copy from a device of another driver: %v, want driver.ErrNoPeer", err)
		}
	})
	// Each copy runs after the launches before it on both devices and before
	// the launches after it, without waiting in between.
	t.Run("Order", func(t *testing.T) {
		grid := driver.Grid{Groups: 8, Lanes: 32}
		ka, kb := here.build(t, step), there.build(t, step)
		want := ramp(n, 1)
		must(t, "write")(a.Write(0, driver.Bytes(want)))
		for i := range int32(20) {
			enqueued(t)(ka.Launch(grid, driver.Memory(a), driver.Value(int64(n)), driver.Value(i)))
			enqueued(t)(pb.CopyPeer(0, a, 0, 4*n))
			// Runs after the copy.
			enqueued(t)(ka.Launch(grid, driver.Memory(a), driver.Value(int64(n)), driver.Value(int32(77))))
			enqueued(t)(kb.Launch(grid, driver.Memory(b), driver.Value(int64(n)), driver.Value(-i)))
			enqueued(t)(pa.CopyPeer(0, b, 0, 4*n))
			enqueued(t)(kb.Launch(grid, driver.Memory(b), driver.Value(int64(n)), driver.Value(int32(78))))
			for j := range want {
				want[j] = 3*(3*want[j]+i) - i
			}
		}
		here.want(t, a, 0, driver.Bytes(want))
		for _, dev := range []driver.Device{d, e} {
			if err := dev.Sync(); err != nil {
				t.Fatal("sync:", err)
			}
		}
	})
}
