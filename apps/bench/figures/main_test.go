package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/apps/internal/twintest"
)

func TestRun(t *testing.T) {
	twintest.OpenCL(t)
	var out bytes.Buffer
	if err := run(&out, 5000, 500, 1, []string{"cpu", "opencl:0"}, "", ""); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| cpu | Map | ", "| opencl:0 | Dot | ", "| hand16 |", "k-means, 500 x 34", "| skelgo on opencl:0 | ", "| raw, as the paper | "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if err := run(&out, 1, 0, 1, []string{"nonsense"}, "", ""); err == nil {
		t.Error("a device that does not exist was taken")
	}
}
