package main

import (
	"bytes"
	"errors"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// crashes are ways in which a program can end against its will. TestMain makes
// each a command.
var crashes = map[string]func(){
	"crash-panic": func() {
		done := make(chan bool)
		go func() {
			var list []int
			list[len(done)] = 1 //nolint:gosec // the panic is intended
		}()
		<-done
	},
	"crash-memory": func() {
		size := 1 << 46 // more than any machine has
		if runtime.GOARCH == "386" || runtime.GOARCH == "arm" {
			size = 1 << 30
		}
		var kept [][]byte
		for {
			kept = append(kept, make([]byte, size))
			_ = kept[len(kept)-1][0]
		}
	},
}

// TestCrash checks that scripts can tell a crash from an error in the command
// line or the data.
func TestCrash(t *testing.T) {
	for name, want := range map[string]string{
		"crash-panic":  "index out of range",
		"crash-memory": "out of memory",
	} {
		cmd := exec.Command(name)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		exit := new(exec.ExitError)
		if err := cmd.Run(); !errors.As(err, &exit) {
			t.Fatalf("%s: %v", name, err)
		}
		if code := exit.ExitCode(); code >= 0 && code <= 2 || code == 130 || code == 141 {
			t.Errorf("%s: exit code %d", name, code)
		}
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("%s: message %q", name, stderr.String())
		}
	}
}
