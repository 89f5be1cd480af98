package devices_test

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
)

// TestSettings checks that the error of an invalid setting names the variable,
// its value, and the valid values.
func TestSettings(t *testing.T) {
	for _, c := range []struct {
		name, value string
		texts       []string // in the error; none if the value is valid
	}{
		{"SKEL_CHECK", "banana", []string{"SKEL_CHECK=banana: ", "must be 1", " or 0"}},
		{"SKEL_CHECK", "true", []string{"SKEL_CHECK=true: "}},
		{"SKEL_CHECK", "1", nil},
		{"SKEL_CHECK", "0", nil},
		{"SKEL_CHECK", "", nil},
		{"SKEL_CACHE", "no", []string{"SKEL_CACHE=no: ", "off", "absolute path"}},
		{"SKEL_CACHE", "./cache", []string{"SKEL_CACHE=./cache: "}},
		{"SKEL_CACHE", "/", []string{"SKEL_CACHE=/: ", "off", "other than the root"}},
		{"SKEL_CACHE", "//../.", []string{"SKEL_CACHE=//../.: "}},
		{"SKEL_CACHE", t.TempDir() + "/", nil},
		{"SKEL_CACHE", "off", nil},
		{"SKEL_CACHE", "", nil},
		{"SKEL_CACHE", t.TempDir(), nil},
		{"SKEL_SPLIT", "x", []string{"SKEL_SPLIT=x: ", "number of bytes"}},
		{"SKEL_SPLIT", "-1", []string{"SKEL_SPLIT=-1: "}},
		{"SKEL_SPLIT", "0", nil},
		{"SKEL_DUMP", "/dev/null/x", []string{"SKEL_DUMP=/dev/null/x: ", "must be a directory"}},
		{"SKEL_DUMP", t.TempDir() + "/new", nil},
		{"SKEL_DEVICE", "gpu5", []string{"SKEL_DEVICE: ", `"gpu5"`, "cpu"}},
		{"SKEL_DEVICE", "cpu:x", []string{"SKEL_DEVICE: ", `"x"`, "cpu:0"}},
	} {
		t.Run(c.name+"="+c.value, func(t *testing.T) {
			if c.name != "SKEL_DEVICE" {
				t.Setenv("SKEL_DEVICE", "cpu")
			}
			t.Setenv(c.name, c.value)
			forget(t)
			calls := map[string]func() error{
				"Default":  func() error { _, err := devices.Default(); return err },
				"Defaults": func() error { _, err := devices.Defaults(); return err },
				"Get":      func() error { _, err := devices.Get("cpu"); return err },
				"List":     func() error { _, err := devices.List(); return err },
			}
			for name, call := range calls {
				if c.name == "SKEL_DEVICE" && (name == "Get" || name == "List") {
					continue // not affected by the setting
				}
				switch err := call(); {
				case len(c.texts) > 0:
					wantError(t, err, c.texts...)
				case err != nil:
					t.Errorf("%s: %v", name, err)
				}
			}
		})
	}
}

// forget makes Default read the environment again.
func forget(t *testing.T) {
	t.Cleanup(devices.ForgetDefault)
	devices.ForgetDefault()
}
