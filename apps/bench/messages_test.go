package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/bits"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/devices/mpi"
	"github.com/skelgo/skelgo/vector"
)

// messages is what a repetition of a row of --scaling costs one rank of many.
type messages struct {
	Name string
	mpi.Traffic
	Host time.Duration // of the call on this rank: its share of the work, and that on its ghosts
}

// law is the model of docs/scaling.md for the messages of rank 0, which has most of them: so many in
// every case, so many for each other rank, and those of a tree.
type law struct {
	base, each mpi.Traffic
	gathered   int64 // bytes that rank 0 needs of each other rank; few, so that ranks pass them on
}

func (l law) at(ranks int) mpi.Traffic {
	n := ranks - 1
	t := mpi.Traffic{
		Broadcasts: l.base.Broadcasts + n*l.each.Broadcasts, Sent: l.base.Sent + n*l.each.Sent,
		Received: l.base.Received + n*l.each.Received, Bytes: l.base.Bytes + int64(n)*l.each.Bytes,
	}
	if l.gathered == 0 {
		return t
	}
	messages, head := n, int64(0)
	if ranks >= 4 { // a tree
		messages, head = bits.Len(uint(n)), 8
	}
	t.Received += messages
	t.Bytes += int64(n) * (l.gathered + head)
	return t
}

// laws are those of the rows, by the beginning of the name. The messages of some rows depend on where small
// parts end: there, so many more or fewer are as good.
var laws = []struct {
	name string
	few  int
	law
}{
	{"Map", 0, law{}},
	{"Zip", 0, law{}},
	{"Reduce", 0, law{gathered: 16}},
	{"Scan", 0, law{base: mpi.Traffic{Sent: 1, Bytes: 4}}},
	{"heat", 0, law{base: mpi.Traffic{Sent: 14, Received: 14, Bytes: 544768}}},
	{"Sort", 4, law{base: mpi.Traffic{Sent: 1, Received: 1, Bytes: 36864}, each: mpi.Traffic{Broadcasts: 1}}},
	{"Histogram, uint8, 256 bins", 0, law{gathered: 2048}},
	{"ByKey, int32, 256 keys", 0, law{gathered: 1024}},
	{"ByKey, int32, 65536 keys", 0, law{each: mpi.Traffic{Received: 1, Bytes: 262144}}},
	{"k-means", 48, law{
		base: mpi.Traffic{Broadcasts: 2, Received: 6, Bytes: 60000}, each: mpi.Traffic{Sent: 1, Bytes: 1400},
		gathered: 1400,
	}},
	{"t mixture", 8, law{base: mpi.Traffic{Broadcasts: 2}, each: mpi.Traffic{Sent: 8, Received: 6, Bytes: 750_000}}},
}

// TestMessages plays rank 0 of programs with many ranks, counts the messages of each row of skelgo
// bench --scaling, and compares them with the model. A call that begins to send something to
// every rank, or to read from each, shows here.
func TestMessages(t *testing.T) {
	if text := os.Getenv(playVariable); text != "" {
		var rank, size int
		if _, err := fmt.Sscanf(text, "%d/%d", &rank, &size); err != nil {
			t.Fatal(err)
		}
		played(t, rank, size)
		return
	}
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	sizes := []int{2, 8}
	if devicestest.Thorough() {
		sizes = append(sizes, 64, 1000)
	}
	for _, size := range sizes {
		rows := play(t, 0, size)
		for _, l := range laws {
			i := slices.IndexFunc(rows, func(m messages) bool { return strings.HasPrefix(m.Name, l.name) })
			if i < 0 {
				if size <= mostSorting {
					t.Errorf("no row %s", l.name)
				}
				continue
			}
			m, want := rows[i], l.at(size)
			t.Logf("%4d ranks, %-32s %+v, %v", size, m.Name, m.Traffic, m.Host)
			if m.Traffic != want && (l.few == 0 || !near(m.Traffic, want, l.few)) {
				t.Errorf("%d ranks: %s: %+v; the model says %+v", size, m.Name, m.Traffic, want)
			}
		}
	}
}

// near reports whether the numbers of messages and bytes are at most a quarter more than those of the
// model, and not less than half of them, but for a few messages.
func near(got, want mpi.Traffic, few int) bool {
	is := func(got, want, few int64) bool { return got <= want+want/4+few && 2*got >= want-few }
	n := int64(few)
	return is(int64(got.Broadcasts), int64(want.Broadcasts), n) && is(int64(got.Sent), int64(want.Sent), n) &&
		is(int64(got.Received), int64(want.Received), n) && is(got.Bytes, want.Bytes, n<<16)
}

const (
	playVariable = "SKELGO_TEST_PLAY"
	// mostSorting is the largest number of ranks for which the sort is played: the host compares the
	// samples of all ranks for each of them, which takes minutes for 1,000.
	mostSorting = 64
)

// play runs this test in another process, as one of many ranks that do not exist.
func play(t *testing.T, rank, size int) (rows []messages) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%d/%d", playVariable, rank, size), "SKEL_DEVICE=cpu")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	line, _, _ := bytes.Cut(out, []byte("\n"))
	if err := json.Unmarshal(line, &rows); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return rows
}

// played writes what each row costs to standard output.
func played(t *testing.T, rank, size int) {
	var word [8]byte
	w := mpi.Play(rank, size, &word)
	w.Lead()
	devs, err := devices.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	var rows []messages
	small := scales(1 << 14)
	for i, x := range scales(1 << 18) { // parts of the scan end at multiples of 2^17 elements
		if strings.HasPrefix(x.Name, "Sort") {
			if x = small[i]; size > mostSorting {
				continue
			}
		}
		word = [8]byte{} // a sort believes what others count
		switch {
		case x.Steps != nil: // k-means ends when others say that no label moved
			word[3] = 0x3f // as float32 0.5
		case strings.HasPrefix(x.Name, "t mixture"): // variances are not 0
			word[7] = 0x3f
		}
		m, err := messagesOf(w, x, devs)
		if err != nil {
			t.Fatalf("%s: %v", x.Name, err)
		}
		rows = append(rows, m)
	}
	text, err := json.Marshal(rows)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println(string(text))
}

// messagesOf returns the messages of a repetition of x.
func messagesOf(w *mpi.World, x *benchmark.Scaled, devs []*devices.Device) (m messages, err error) {
	on := vector.Block(devs...)
	m.Name = x.Name
	sent := func(call func() error) (mpi.Traffic, time.Duration, error) {
		before, begin := w.Traffic(), time.Now()
		err := call()
		return w.Traffic().Sub(before), time.Since(begin), err
	}
	if x.Steps == nil {
		call, free, err := x.Open(on, len(devs))
		defer free()
		if err == nil {
			err = call() // copies what does not change
		}
		if err != nil {
			return m, err
		}
		m.Traffic, m.Host, err = sent(call)
		return m, err
	}
	const steps = 3
	fewer, less, err := sent(func() error { return x.Steps(on, len(devs), steps) })
	if err != nil {
		return m, err
	}
	more, host, err := sent(func() error { return x.Steps(on, len(devs), steps+1) })
	m.Traffic, m.Host = more.Sub(fewer), host-less
	return m, err
}
