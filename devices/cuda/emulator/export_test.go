package emulator

import "testing"

// SetPatience changes how many seconds a launch may take, for a test.
func SetPatience(t *testing.T, seconds int64) {
	old := patience
	patience = seconds
	t.Cleanup(func() { patience = old })
}
