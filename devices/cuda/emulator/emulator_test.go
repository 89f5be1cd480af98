package emulator_test

import (
	"os"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices/cuda/emulator"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
)

func device(t *testing.T) *emulator.Device {
	t.Helper()
	if why := emulator.Missing(); why != "" {
		if strings.Contains(os.Getenv("SKEL_REQUIRE"), "clang") {
			t.Fatal(why)
		}
		t.Skip(why)
	}
	d, err := emulator.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// TestConformance runs the conformance suite on the emulated device.
func TestConformance(t *testing.T) { drivertest.Run(t, device(t)) }

// TestPeers runs the suite of copies between two devices.
func TestPeers(t *testing.T) { drivertest.RunPeers(t, device(t), device(t)) }

// launch runs a kernel on a buffer of n numbers and returns them.
func launch(t *testing.T, c string, g driver.Grid, n int) ([]uint32, error) {
	t.Helper()
	d := device(t)
	k, err := d.Build(driver.Program{Name: "f", C: c})
	if err != nil {
		t.Fatal(err)
	}
	b, err := d.Alloc(int64(n) * 4)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Write(0, make([]byte, 4*n)); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Launch(g, driver.Memory(b)); err != nil {
		return nil, err
	}
	out := make([]byte, b.Len())
	if _, err := b.Read(0, out); err != nil {
		t.Fatal(err)
	}
	return driver.Slice[uint32](out), b.Free()
}

func want(t *testing.T, got []uint32, err error, want func(i int) uint32) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range got {
		if x != want(i) {
			t.Fatalf("element %d is %d, want %d", i, x, want(i))
		}
	}
}

// TestBarriers checks local memory and barriers with more groups than are
// resident at the same time.
func TestBarriers(t *testing.T) {
	got, err := launch(t, `KERNEL f(GLOBAL u32 *out) {
	LOCAL u32 s[256];
	u32 x = (u32)lane_id();
	for (int k = 0; k < 5; k++) {
		s[lane_id()] = x;
		BARRIER();
		x = s[(lane_id() + 1) % 256] + (u32)group_id();
		BARRIER();
	}
	out[group_id() * 256 + lane_id()] = x;
}`, driver.Grid{Groups: 100, Lanes: 256}, 100*256)
	want(t, got, err, func(i int) uint32 { return uint32((i+5)%256 + i/256*5) })
}

func TestWarps(t *testing.T) {
	got, err := launch(t, `KERNEL f(GLOBAL u32 *out) {
	u32 lane = (u32)lane_id() % 32, x = WARP_WORD(lane * 10, lane ^ 1);
	u32 odd = WARP_BALLOT(lane % 2), same = __match_any_sync(0xffffffffu, lane / 8);
	WARP_SYNC();
	out[lane_id()] = x == (lane ^ 1) * 10 && odd == 0xaaaaaaaau && same == 0xffu << lane / 8 * 8;
}`, driver.Grid{Groups: 1, Lanes: 64}, 64)
	want(t, got, err, func(int) uint32 { return 1 })
}

// TestCopies checks that a copy has arrived after COPY_WAIT, and that the
// copies of the last commits need not have.
func TestCopies(t *testing.T) {
	got, err := launch(t, `KERNEL f(GLOBAL u32 *out DYNAMIC_P) {
	DYNAMIC(slots);
	int lane = (int)lane_id();
	for (int k = 0; k < 4; k++)
		out[1024 + 4 * lane + k] = 7;
	COPY16(slots + 32 * lane, out + 1024 + 4 * lane);
	COPY_COMMIT();
	for (int k = 0; k < 8; k++) {
		COPY16(slots + 32 * lane + 16, out + 1024 + 4 * lane);
		COPY_COMMIT();
	}
	COPY_WAIT(8);
	for (int k = 0; k < 4; k++)
		out[4 * lane + k] = ((LOCAL_PTR u32 *)(slots + 32 * lane))[k];
	COPY_WAIT(0);
	for (int k = 0; k < 4; k++)
		out[4 * lane + k] &= ((LOCAL_PTR u32 *)(slots + 32 * lane))[4 + k];
}`, driver.Grid{Groups: 1, Lanes: 256, Local: 8192}, 2048)
	want(t, got, err, func(int) uint32 { return 7 })
}

// TestPolling checks that a polling lane lets others run, although its loop has
// no barrier.
func TestPolling(t *testing.T) {
	got, err := launch(t, `KERNEL f(GLOBAL u32 *out) {
	i64 g = group_id();
	if (g > 0)
		while (((GLOBAL volatile u32 *)out)[g - 1] == 0)
			;
	out[g] = (u32)g + 1;
}`, driver.Grid{Groups: 50, Lanes: 1}, 50)
	want(t, got, err, func(i int) uint32 { return uint32(i + 1) })
}

// TestMistakes checks that what would hang on a GPU, or be undefined, is an
// error that says why.
func TestMistakes(t *testing.T) {
	emulator.SetPatience(t, 1)
	for name, c := range map[string]struct{ body, says string }{
		"a barrier that some pass by": {"if (lane_id() < 40) return; if (lane_id() < 50) WARP_SYNC(); else " +
			"BARRIER();", "does not go on"},
		"two meeting places": {"if (lane_id() == 3) WARP_SYNC(); else WARP_BALLOT(1);",
			"of one warp wait at"},
		"what never comes":               {"while (((GLOBAL volatile u32 *)out)[0] == 0);", "has not ended after 1 s"},
		"a copy to an odd place":         {"LOCAL u8 s[64]; COPY16(s + 4, out);", "not aligned"},
		"a write in front of the memory": {"out[-1] = 1;", "wrote outside it"},
		"a write behind the memory":      {"out[64 + lane_id() % 8] = 1;", "wrote outside it"},
		"variables that are far too long": {"volatile u8 a[1 << 17]; for (int i = 1 << 17; i-- > 0;) a[i] = 1; " +
			"out[0] = a[1];", "bytes of stack"},
	} {
		_, err := launch(t, "KERNEL f(GLOBAL u32 *out) { "+c.body+" }", driver.Grid{Groups: 2, Lanes: 64}, 64)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.says)
		}
	}
}

// TestMissingBarrier checks that a missing barrier shows because lanes run in
// varying orders.
func TestMissingBarrier(t *testing.T) {
	got, err := launch(t, `KERNEL f(GLOBAL u32 *out) {
	LOCAL u32 s[256];
	s[lane_id()] = (u32)lane_id();
	out[group_id() * 256 + lane_id()] = s[lane_id() ^ 1];
}`, driver.Grid{Groups: 8, Lanes: 256}, 8*256)
	if err != nil {
		t.Fatal(err)
	}
	early, late := 0, 0
	for i, x := range got {
		if x != uint32(i%256^1) {
			if i%2 == 0 {
				early++
			} else {
				late++
			}
		}
	}
	if early == 0 || late == 0 {
		t.Errorf("%d lanes too early for their right neighbour, %d for their left one: want some of both", early, late)
	}
}

// TestGroups checks how many lanes a group may have: those that the kernel is compiled for, or 256.
func TestGroups(t *testing.T) {
	for declared, most := range map[string]int{"KERNEL": 256, "KERNEL_OF(512, 1)": 512, "KERNEL_OF(64, 2)": 64} {
		for _, lanes := range []int{most, most + 32} {
			out, err := launch(t, declared+" f(GLOBAL u32 *out) { out[lane_id()] = 7; }",
				driver.Grid{Groups: 1, Lanes: lanes}, lanes)
			if lanes == most {
				want(t, out, err, func(int) uint32 { return 7 })
			} else if err == nil || !strings.Contains(err.Error(), "registers allow at most") {
				t.Errorf("%s: %d lanes: error %v", declared, lanes, err)
			}
		}
	}
}
