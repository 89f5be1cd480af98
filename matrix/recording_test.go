package matrix_test

import (
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// TestRefusedByName makes calls that cannot be recorded. The error must name the call that the program
// made, not one by which it is implemented.
func TestRefusedByName(t *testing.T) {
	m, v, s := matrix.New[int](2, 3), vector.New[int](3), vector.NewScalar(1)
	for want, call := range map[string]func(){
		"matrix: From ":         func() { matrix.From(1, 1, []int{1}) },
		"matrix: Host ":         func() { _, _ = m.Host() },
		"matrix: Row ":          func() { _, _ = m.Row(1) },
		"matrix: At ":           func() { _, _ = m.At(1, 1) },
		"matrix: Set ":          func() { _ = m.Set(1, 1, 1) },
		"matrix: Wait ":         func() { _ = m.Wait() },
		"vector: NewScalar ":    func() { vector.NewScalar(2) },
		"vector: Value ":        func() { _, _ = s.Value() },
		"vector: Later ":        func() { _, _ = s.Later()() },
		"vector: Set or Write ": func() { _ = s.Set(3) },
		"vector: From ":         func() { vector.From([]int{1}) },
		"vector: Host ":         func() { _, _ = v.Host() },
		"vector: HostRange ":    func() { _, _ = v.HostRange(1, 2) },
		"vector: At ":           func() { _, _ = v.At(1) },
		"vector: Wait ":         func() { _ = v.Wait() },
	} {
		_, err := devices.Record(func() error {
			call()
			return nil
		})
		if err == nil || !strings.HasPrefix(err.Error(), want+"cannot be recorded") {
			t.Errorf("error %v, want one that begins with %q", err, want)
		}
	}
}
