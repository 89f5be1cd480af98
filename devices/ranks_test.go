package devices_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
)

func init() {
	children["ranks"] = func() error { return errors.Join(overRanks(), devices.Close()) }
	children["diverging ranks"] = divergingRanks
	children["killed rank"] = killedRank
	children["late error"] = func() error {
		devs, err := devices.Get("cpu")
		if err != nil {
			return err
		}
		l := program("panics")
		l.Go = func(driver.Group) { panic("a late fault") }
		return errors.Join(devs[len(devs)-1].Launch(l), devices.Close())
	}
	children["message in PerRank"] = func() error {
		devs, err := devices.Get("cpu")
		if err != nil {
			return err
		}
		for only := range 2 {
			_, err = devices.PerRank(devs, func([]*devices.Device) ([]byte, error) {
				if devices.Rank() == only {
					devices.Agree(true)
				}
				return nil, nil
			})
			const want = "agreement on  needs a message where ranks may go different ways"
			if err == nil || !strings.Contains(err.Error(), want) {
				return fmt.Errorf("rank %d, message of rank %d: error %w", devices.Rank(), only, err)
			}
		}
		if !devices.Agree(devices.Rank() == 0) {
			return errors.New("ranks no longer agree")
		}
		return devices.Close()
	}
	children["failing rank"] = func() error {
		n, err := devices.Ranks()
		if err == nil && devices.Rank() == n-1 {
			os.Exit(5)
		}
		return errors.Join(err, devices.Close())
	}
}

// mpirun runs one of children on several ranks.
func mpirun(t *testing.T, ranks int, name string, env ...string) (string, error) {
	t.Helper()
	env = append(env, "DEVICES_TEST_CHILD="+name, "SKEL_DEVICE=", "SKEL_CHECK=", "SKEL_CACHE=off")
	return devicestest.MPIRun(t, ranks, env, os.Args[0])
}

// TestRanks uses the devices of all ranks.
func TestRanks(t *testing.T) {
	for _, ranks := range []int{1, 2, 3} {
		out, err := mpirun(t, ranks, "ranks")
		if n := strings.Count(out, ": ok\n"); err != nil || n != ranks {
			t.Errorf("%d of %d ranks: %v\n%s", n, ranks, err, out)
		}
	}
}

// specs returns what specifications name, or a text of their errors, over n ranks.
func specs(n int) map[string]string {
	if n == 1 {
		return map[string]string{"cpu": "cpu", "0/cpu": "cpu", "1/cpu": "there is no rank 1: there is 1 rank"}
	}
	all, last := "", ""
	for r := range n {
		last = fmt.Sprintf("%d/cpu", r)
		all += last + " "
	}
	return map[string]string{
		"cpu": strings.TrimSpace(all), "0/cpu": "0/cpu", last: last, last + ",0/cpu": last + " 0/cpu",
		fmt.Sprintf("%d/cpu", n): fmt.Sprintf("there is no rank %d: there are %d ranks", n, n),
		"0/cpu:1":                "rank 0: cpu has 1 device, the last is 0/cpu",
		"cpu,0/cpu":              "0/cpu is named twice",
		"x/cpu":                  "there is no rank x",
		"opencl:99":              "rank 0: opencl has ",
	}
}

// overRanks makes calls on the devices of all ranks.
func overRanks() error {
	n, err := devices.Ranks()
	if err != nil {
		return err
	}
	all := specs(n)
	for _, spec := range slices.Sorted(maps.Keys(all)) { // the same calls on all ranks
		devs, err := devices.Get(spec)
		got := strings.Trim(fmt.Sprint(devs), "[]")
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, all[spec]) {
			return fmt.Errorf("%s: %s, want %s", spec, got, all[spec])
		}
	}
	devs, err := devices.Get("cpu")
	if err != nil {
		return err
	}
	for r, d := range devs {
		if d.Rank() != r || d.Ghost() != (r != devices.Rank()) || d.Joint() != (n > 1) {
			return fmt.Errorf("%v: rank %d, a ghost: %t, joint: %t", d, d.Rank(), d.Ghost(), d.Joint())
		}
		if err := onRank(d, devs); err != nil {
			return fmt.Errorf("%v: %w", d, err)
		}
	}
	if n > 1 {
		if err := perRank(devs); err != nil {
			return fmt.Errorf("PerRank: %w", err)
		}
	}
	if err := ownParts(devs); err != nil {
		return err
	}
	if defaults, err := devices.Defaults(); err != nil || len(defaults) != n {
		return fmt.Errorf("the default devices are %v: %w", defaults, err)
	}
	if got := devices.Agree(time.Duration(100 + devices.Rank())); got != 100 {
		return fmt.Errorf("the ranks have agreed on %v", got)
	}
	input := bytes.Repeat([]byte("words\n"), 300_000)
	var mine io.Reader = strings.NewReader("nothing")
	if devices.Rank() == 0 {
		mine = bytes.NewReader(input)
	}
	if got, err := io.ReadAll(devices.FromFirst(mine)); err != nil || !bytes.Equal(got, input) {
		return fmt.Errorf("%d bytes of %d were passed on: %w", len(got), len(input), err)
	}
	fmt.Printf("rank %d: ok\n", devices.Rank())
	return nil
}

// perRank makes other calls on each rank.
func perRank(devs []*devices.Device) error {
	rank, n := devices.Rank(), len(devs)
	all, err := devs[rank].Alloc(8)
	if err != nil {
		return err
	}
	defer all.Free()
	var inside *devices.Buffer
	stats := devs[rank].Stats()
	parts, err := devices.PerRank(devs, func(own []*devices.Device) ([]byte, error) {
		defaults, err := devices.Defaults()
		if err != nil || len(own) != 1 || !slices.Equal(defaults, own) || own[0].ID() != devs[rank].ID() ||
			own[0].Joint() {
			return nil, fmt.Errorf("%v and %v are the devices of rank %d: %w", own, defaults, rank, err)
		}
		if inside, err = own[0].Alloc(int64(1000 + rank)); err != nil {
			return nil, err
		}
		var wait sync.WaitGroup
		errs := make([]error, 5*rank) // of as many goroutines
		for i := range errs {
			wait.Go(func() { errs[i] = own[0].Launch(program(fmt.Sprint(i))) })
		}
		wait.Wait()
		l := program("panics")
		l.Go = func(driver.Group) { panic("a fault") }
		if own[0].Launch(l) == nil {
			return nil, errors.New("the error of a launch comes late")
		}
		for _, err := range []error{
			all.Write(0, make([]byte, 8)), devs[rank].Launch(program("x")), devs[0].Sync(),
			func() error { _, err := devs[1].Alloc(8); return err }(),
			func() error { _, err := devices.PerRank(devs, nil); return err }(),
		} {
			if err == nil || !strings.Contains(err.Error(), "during") {
				return nil, fmt.Errorf("a call on a device of all ranks returns %w", err)
			}
		}
		text := bytes.Repeat([]byte{byte(rank)}, 100*rank) // nothing from rank 0
		return text, errors.Join(append(errs, inside.Write(0, text), inside.Read(0, text))...)
	})
	if err != nil {
		return err
	}
	for r, p := range parts {
		if !bytes.Equal(p, bytes.Repeat([]byte{byte(r)}, 100*r)) {
			return fmt.Errorf("%d bytes from rank %d", len(p), r)
		}
	}
	if s := devs[rank].Stats().Sub(stats); s.Launches != int64(5*rank+1) || s.LiveBytes != int64(1000+rank) {
		return fmt.Errorf("%+v counts the calls of rank %d", s, rank)
	}
	err = inside.Read(0, make([]byte, 1))
	if err == nil || !strings.Contains(err.Error(), "after the call of devices.PerRank") || inside.Readable() != nil {
		return fmt.Errorf("a buffer of PerRank can be read after it: %w", err)
	}
	inside.Free()
	for failing := range devs { // all ranks from this one on
		_, err := devices.PerRank(devs[n-1:], func(own []*devices.Device) ([]byte, error) {
			if rank >= failing {
				return nil, &devices.MemoryError{Device: fmt.Sprint(failing), Asked: int64(rank)}
			}
			return nil, nil
		})
		if e, ok := errors.AsType[*devices.MemoryError](err); !ok || e.Asked != int64(failing) {
			return fmt.Errorf("rank %d fails with %w", failing, err)
		}
	}
	return nil
}

// onRank makes calls on a device.
func onRank(d *devices.Device, all []*devices.Device) error {
	b, err := d.Alloc(64)
	if err != nil {
		return err
	}
	defer b.Free()
	for _, other := range all {
		from, err := other.Alloc(64)
		if err != nil {
			return err
		}
		want := bytes.Repeat([]byte{byte(other.Rank() + 1)}, 64)
		p := make([]byte, 64)
		if err := errors.Join(from.Write(0, want), b.Copy(0, from, 0, 64), b.Read(0, p)); err != nil {
			return err
		}
		if from.Free(); !bytes.Equal(p, want) {
			return fmt.Errorf("%v after a copy from %v", p, other)
		}
	}
	rate, err := d.Speed()
	if err != nil || devices.Agree(rate) != rate {
		return fmt.Errorf("ranks have measured different speeds: %w", err)
	}

	// A user's function that panics, and memory that is not there: on one rank, and seen by all.
	l := program("panics")
	l.Go = func(driver.Group) { panic("a fault") }
	err = errors.Join(d.Launch(l), d.Sync())
	e, ok := errors.AsType[*devices.CheckError](err)
	if !ok || !strings.Contains(err.Error(), "a fault") && e.Err == nil {
		return fmt.Errorf("error of a panic: %w", err)
	}
	large, err := d.Alloc(d.Info().Memory * 2)
	if err == nil {
		native := d.Natively("steps", nil, func() error { panic("called without memory") })
		err = errors.Join(native, d.Launch(program("unused")), d.Sync())
		large.Free()
	}
	if e, ok := errors.AsType[*devices.MemoryError](err); !ok || e.Device != d.ID() {
		return fmt.Errorf("error of too large a buffer: %w", err)
	}
	if err := errors.Join(d.Launch(program("after")), d.Sync()); err != nil {
		return fmt.Errorf("after the buffer was freed: %w", err)
	}

	// A call of several steps, for a result and for none.
	sum := []int64{0}
	err = d.Natively("steps", driver.Bytes(sum), func() error {
		sum[0] = int64(10 + d.Rank())
		return d.Launch(program("step"))
	})
	if err != nil || sum[0] != int64(10+d.Rank()) {
		return fmt.Errorf("steps have computed %d: %w", sum[0], err)
	}
	err = d.Natively("steps", nil, func() error { return errors.New("broken step") })
	if err = errors.Join(err, d.Sync()); err == nil || err.Error() != "broken step" {
		return fmt.Errorf("error of a step: %w", err)
	}
	return d.Sync()
}

// divergingRanks makes a call more on one rank.
func divergingRanks() error {
	devs, err := devices.Get("cpu")
	if err != nil {
		return err
	}
	b, err := devs[0].Alloc(8)
	if err != nil {
		return err
	}
	if devices.Rank() == 1 {
		if err := devs[0].Launch(program("extra")); err != nil {
			return err
		}
	}
	return errors.Join(b.Read(0, make([]byte, 8)), devices.Close())
}

// TestLateError ends with an error that nobody has read.
func TestLateError(t *testing.T) {
	out, err := mpirun(t, 2, "late error")
	if err == nil || !strings.Contains(out, "a late fault") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestMessageInPerRank sends a message while ranks make different calls. All ranks get the error, and go on.
func TestMessageInPerRank(t *testing.T) {
	if out, err := mpirun(t, 2, "message in PerRank"); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestDivide divides pieces of work over the ranks of devices.
func TestDivide(t *testing.T) {
	devs, err := devices.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	if got := devices.Divide([]int64{5, 0, 1 << 40}, devs); !slices.Equal(got, make([]int, 3)) {
		t.Errorf("one process: %v", got)
	}
	var three []*devices.Device // of ranks 1, 1 and 3
	for i, rank := range []int{1, 1, 3} {
		d := devices.Wrap(fmt.Sprint("divided", i), ownedBy{drivertest.NewFake(drivertest.Options{}).Device(0), rank})
		t.Cleanup(func() { _ = d.Close() })
		three = append(three, d)
	}
	got := devices.Divide([]int64{8, 6, 5, 5, 2, 1}, three)
	if want := []int{1, 3, 1, 1, 3, 3}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// ownedBy is a device of a rank.
type ownedBy struct {
	driver.Device
	rank int
}

func (d ownedBy) Owner() int                                { return d.rank }
func (ownedBy) Ghost() bool                                 { return true }
func (ownedBy) Local() driver.Device                        { return nil }
func (ownedBy) Note(string, int64)                          {}
func (ownedBy) Quiet() func()                               { return func() {} }
func (ownedBy) IsQuiet() bool                               { return false }
func (ownedBy) Keep(error)                                  {}
func (ownedBy) Kept() error                                 { return nil }
func (ownedBy) Same(string, []byte) error                   { return nil }
func (ownedBy) Lacking() error                              { return nil }
func (ownedBy) Own(driver.Buffer) driver.Buffer             { return nil }
func (ownedBy) Without(int64, error) (driver.Buffer, error) { return nil, driver.ErrMemory }

func TestDivergingRanks(t *testing.T) {
	out, err := mpirun(t, 2, "diverging ranks")
	if err == nil {
		t.Fatalf("no error\n%s", out)
	}
	for _, want := range []string{"map(extra) on 0/cpu (4) on rank 1", "read on 0/cpu (8) on rank 0"} {
		if !strings.Contains(out, want) {
			t.Errorf("the output does not contain %q:\n%s", want, out)
		}
	}
}

// killedRank ends one rank by a signal while the others wait for it.
func killedRank() error {
	devs, err := devices.Get("cpu")
	if err != nil {
		return err
	}
	b, err := devs[1].Alloc(8)
	if err != nil {
		return err
	}
	if devices.Rank() == 1 {
		if p, err := os.FindProcess(os.Getpid()); err == nil {
			_ = p.Kill()
		}
	}
	return b.Read(0, make([]byte, 8))
}

// TestEndOfARank kills a rank, and lets one fail: mpirun must end all.
func TestEndOfARank(t *testing.T) {
	begin := time.Now()
	for name, code := range map[string]int{"killed rank": 128 + int(syscall.SIGKILL), "failing rank": 5} {
		out, err := mpirun(t, 3, name)
		e, ok := errors.AsType[*exec.ExitError](err)
		if !ok || e.ExitCode() != code {
			t.Errorf("%s: mpirun returns %v, want %d\n%s", name, err, code, out)
		}
	}
	if took := time.Since(begin); took > time.Minute {
		t.Errorf("it took %v", took)
	}
}

// TestRankSettings starts ranks with different settings.
func TestRankSettings(t *testing.T) {
	out, err := devicestest.MPIRun(t, 1, []string{"DEVICES_TEST_CHILD=ranks", "SKEL_SPLIT="},
		os.Args[0], ":", "-n", "1", "env", "SKEL_SPLIT=7", os.Args[0])
	if want := `has SKEL_SPLIT="7", rank 0 on `; err == nil || !strings.Contains(out, want) {
		t.Errorf("%v: the output does not contain %q:\n%s", err, want, out)
	}
}

// TestRankTrace traces two ranks, each to its file.
func TestRankTrace(t *testing.T) {
	dir := t.TempDir()
	if out, err := mpirun(t, 2, "ranks", "SKEL_TRACE="+dir+"/t.json"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for rank := range 2 {
		name := fmt.Sprintf("%s/t.%d.json", dir, rank)
		if text, err := os.ReadFile(name); err != nil || !bytes.Contains(text, []byte(fmt.Sprintf("%d/cpu", rank))) {
			t.Errorf("%s: %v, %d bytes", name, err, len(text))
		}
	}
}
