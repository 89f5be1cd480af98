package emulator

import "testing"

// SetPatience sets the maximum duration of a launch in seconds for a test.
func SetPatience(t *testing.T, seconds int64) {
	old := patience
	patience = seconds
	t.Cleanup(func() { patience = old })
}
