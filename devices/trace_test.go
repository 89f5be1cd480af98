package devices_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
)

func init() {
	// The child uses every operation on a slow device and on a native one, and
	// exits without closing anything.
	children["trace"] = func() error {
		for _, opt := range []drivertest.Options{{Name: "slow", Lazy: true}, {Name: "native", Native: true}} {
			f := drivertest.NewFake(opt)
			d := devices.Wrap(f.Device(0).ID(), f.Device(0))
			a, err := d.Alloc(100)
			if err != nil {
				return err
			}
			l := program(`say "hi"` + "\n")
			err = errors.Join(a.Write(0, make([]byte, 40)), d.Launch(l), a.Copy(50, a, 0, 30), d.Sync(),
				a.Read(0, make([]byte, 20)))
			if err != nil {
				return err
			}
		}
		return nil
	}
	children["killed"] = func() error {
		f := drivertest.NewFake(drivertest.Options{})
		d := devices.Wrap(f.Device(0).ID(), f.Device(0))
		for range 2000 { // more than the buffer holds
			if err := d.Launch(program("a")); err != nil {
				return err
			}
		}
		if err := d.Sync(); err != nil {
			return err
		}
		if err := d.Launch(program("b")); err != nil {
			return err
		}
		p, err := os.FindProcess(os.Getpid())
		if err != nil {
			return err
		}
		return p.Kill()
	}
	children["list"] = func() error {
		_, err := devices.List()
		return err
	}
}

func TestTrace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trace.json")
	if out, err := child("trace", "SKEL_TRACE="+file).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	text, err := os.ReadFile(file)
	ok(t, err)
	if lines := strings.Split(string(text), "\n"); lines[0] != "[" || !strings.HasSuffix(string(text), "}\n]\n") {
		t.Fatalf("not a JSON array with one event per line:\n%s", text)
	}
	var events []struct {
		Ph, Cat, Name string
		Pid, Tid      int
		Ts, Dur       float64
		Args          map[string]any
	}
	if err := json.Unmarshal(text, &events); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	seen := map[string]int{}
	for _, e := range events {
		if e.Pid != events[0].Pid || e.Ts < 0 || e.Dur < 0 {
			t.Errorf("%+v", e)
		}
		key := e.Cat + " " + e.Name
		switch {
		case e.Ph == "M":
			key = "row " + e.Args["name"].(string)
		case e.Args["bytes"] != nil && e.Cat != "build":
			key += " " + json.Number(jsonText(e.Args["bytes"])).String()
		}
		seen[key]++
		if e.Cat == "kernel" && e.Args["groups"] != 4.0 {
			t.Errorf("a kernel of %v groups", e.Args["groups"])
		}
	}
	for key, n := range map[string]int{
		"row slow:0 Fake 0":             1,
		"row native:0 Fake 0":           1,
		"row host":                      1,
		"transfer write 40":             2,
		"transfer read 20":              2,
		"copy copy 30":                  2,
		"kernel map(say \"hi\"\n)":      2,
		"build build map(say \"hi\"\n)": 1,
		"wait sync slow:0":              1,
		"wait sync native:0":            1,
	} {
		if seen[key] != n {
			t.Errorf("%d of %q, want %d", seen[key], key, n)
		}
	}
	if t.Failed() {
		t.Logf("%s", text)
	}
}

// TestTraceIsAlwaysValid checks that the file is valid JSON even if the program
// is killed or does nothing.
func TestTraceIsAlwaysValid(t *testing.T) {
	for name, least := range map[string]int{"killed": 2000, "list": 0} {
		file := filepath.Join(t.TempDir(), "trace.json")
		out, err := child(name, "SKEL_TRACE="+file).CombinedOutput()
		if killed := err != nil && strings.Contains(err.Error(), "killed"); killed != (name == "killed") {
			t.Errorf("%s: %v: %s", name, err, out)
		}
		text, err := os.ReadFile(file)
		ok(t, err)
		var events []map[string]any
		if err := json.Unmarshal(text, &events); err != nil || len(events) < least {
			t.Errorf("%s: %d events, %v", name, len(events), err)
		}
	}
}

func jsonText(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

func TestTraceThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "no such directory", "trace.json")
	out, err := child("list", "SKEL_TRACE="+file).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "SKEL_TRACE: open ") {
		t.Errorf("%v: %s", err, out)
	}
	if out, err := child("list", "SKEL_TRACE=/dev/full").CombinedOutput(); err == nil {
		t.Errorf("a trace to a full disk: %s", out)
	}
}
