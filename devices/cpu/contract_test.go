package cpu

import "testing"

// TestContracts compares what the device says with what is known of Go's compiler.
func TestContracts(t *testing.T) {
	if got := New().Info().Contracts; got != compilerContracts {
		t.Errorf("Contracts is %t, want %t for this GOARCH", got, compilerContracts)
	}
}
