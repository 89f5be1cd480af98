package main

import (
	"runtime"
	"strings"
	"testing"
)

// TestContraction checks the line about a device that rounds sums of products once.
func TestContraction(t *testing.T) {
	text := contraction([]deviceRow{{ID: "opencl:0"}, {ID: "cpu", Contracts: true}})
	for _, want := range []string{"cpu: ", "x*y + z", strings.ToUpper(runtime.GOARCH), "GO"} {
		if !strings.Contains(strings.ToUpper(text), strings.ToUpper(want)) {
			t.Errorf("%q does not contain %q", text, want)
		}
	}
	if strings.Contains(text, "opencl") || strings.Count(text, "\n") != 1 {
		t.Errorf("%q", text)
	}
	if text := contraction([]deviceRow{{ID: "cpu"}}); text != "" {
		t.Errorf("%q", text)
	}
}
