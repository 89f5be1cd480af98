package bench

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/cuda/emulator"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/vector"
)

var update = flag.Bool("update", false, "write testdata/traffic.txt")

const trafficFile, trafficDevices = "testdata/traffic.txt", 2

// traffic is what one repetition of a row of --scaling costs. Copies are those inside a device and from
// another one. Bytes are those of copies, uploads and downloads.
type traffic struct{ Launches, Copies, Uploads, Downloads, Bytes int64 }

// TestScalingTraffic counts, on two emulated GPUs, what a repetition of each row of skelgo bench --scaling
// costs, and compares that with testdata/traffic.txt. A path that reads all elements again, gathers them on
// one device or waits for the host shows here, on a machine without a GPU. If a change needs less, go test
// -run ScalingTraffic -update ./apps/bench writes the new figures; if it needs more, the commit says why.
func TestScalingTraffic(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	if strings.Contains(os.Getenv("SKEL_DEVICE"), "all") {
		t.Skip("it needs no device")
	}
	if why := emulator.Missing(); why != "" {
		if strings.Contains(os.Getenv("SKEL_REQUIRE"), "clang") {
			t.Fatal(why)
		}
		t.Skip(why)
	}
	var devs []*devices.Device
	for k := range trafficDevices {
		e, err := emulator.New()
		if err != nil {
			t.Fatal(err)
		}
		d := devices.Wrap(fmt.Sprintf("cuda:emulated%d", k), e)
		t.Cleanup(func() {
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		})
		devs = append(devs, d)
	}
	devicestest.NoLeaks(t, devs...)
	got, names := map[string]traffic{}, []string(nil)
	large := scales(1 << 18)
	for i, x := range scales(1 << 14) {
		if x.Name == "Scan" { // its parts end at multiples of 2^17 elements
			x = large[i]
		}
		cost, err := trafficOf(x, devs)
		if err != nil {
			t.Fatalf("%s: %v", x.Name, err)
		}
		name := x.Name
		if !x.Weak {
			name += ", all" // as --scaling says
		}
		names = append(names, name)
		got[name] = cost
	}
	if *update {
		writeTraffic(t, names, got)
		return
	}
	want := readTraffic(t)
	for _, name := range names {
		w, is := want[name]
		switch g := got[name]; {
		case !is:
			t.Errorf("%s: %+v; %s has no such row", name, g, trafficFile)
		case g.Launches > w.Launches || g.Copies > w.Copies || g.Uploads > w.Uploads || g.Downloads > w.Downloads ||
			g.Bytes > w.Bytes:
			t.Errorf("%s costs more: %+v; before %+v", name, g, w)
		case g != w:
			t.Errorf("%s costs less: %+v; before %+v; run the test with -update", name, g, w)
		}
		delete(want, name)
	}
	for name := range want {
		t.Errorf("%s has the row %s, which is not measured", trafficFile, name)
	}
}

// trafficOf returns the cost of a repetition of x on the devices together.
func trafficOf(x *benchmark.Scaled, devs []*devices.Device) (traffic, error) {
	on := vector.Block(devs...)
	if x.Steps == nil {
		call, free, err := x.Open(on, len(devs))
		defer free()
		if err == nil {
			err = call() // builds kernels, and copies what does not change
		}
		if err != nil {
			return traffic{}, err
		}
		return counted(devs, call)
	}
	const steps = 3
	fewer, err := counted(devs, func() error { return x.Steps(on, len(devs), steps) })
	if err != nil {
		return traffic{}, err
	}
	more, err := counted(devs, func() error { return x.Steps(on, len(devs), steps+1) })
	return traffic{
		more.Launches - fewer.Launches, more.Copies - fewer.Copies, more.Uploads - fewer.Uploads,
		more.Downloads - fewer.Downloads, more.Bytes - fewer.Bytes,
	}, err
}

// counted returns the cost of a call.
func counted(devs []*devices.Device, call func() error) (t traffic, err error) {
	before := make([]devices.Stats, len(devs))
	for k, d := range devs {
		before[k] = d.Stats()
	}
	err = call()
	for k, d := range devs {
		s := d.Stats().Sub(before[k])
		t.Launches += s.Launches
		t.Copies += s.Copies
		t.Uploads += s.Uploads
		t.Downloads += s.Downloads
		t.Bytes += s.CopyBytes + s.UploadBytes + s.DownloadBytes
	}
	return t, err
}

func writeTraffic(t *testing.T, names []string, got map[string]traffic) {
	t.Helper()
	var b bytes.Buffer
	fmt.Fprintf(&b, "# A repetition of the rows of skelgo bench --scaling on %d emulated GPUs (traffic_test.go). "+
		"Bytes are those of\n# copies, uploads and downloads.\n", trafficDevices)
	fmt.Fprintln(&b, "launches  copies  uploads  downloads       bytes  what")
	for _, name := range names {
		c := got[name]
		fmt.Fprintf(&b, "%8d %7d %8d %10d %11d  %s\n", c.Launches, c.Copies, c.Uploads, c.Downloads, c.Bytes, name)
	}
	if err := os.WriteFile(trafficFile, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func readTraffic(t *testing.T) map[string]traffic {
	t.Helper()
	text, err := os.ReadFile(trafficFile)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]traffic{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		line := lines.Text()
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "launches") {
			continue
		}
		var c traffic
		if _, err := fmt.Sscan(line, &c.Launches, &c.Copies, &c.Uploads, &c.Downloads, &c.Bytes); err != nil {
			t.Fatalf("%s: %q: %v", trafficFile, line, err)
		}
		name := line
		for range 5 {
			_, name, _ = strings.Cut(strings.TrimLeft(name, " "), " ")
		}
		rows[strings.TrimLeft(name, " ")] = c
	}
	return rows
}
