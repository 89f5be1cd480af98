package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/skelgo/skelgo/codegen/internal/scripttest"
	"github.com/skelgo/skelgo/devices/devicestest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"skelgen": func() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) },
	})
}

func TestScripts(t *testing.T) { scripttest.Run(t, "../registry") }

// TestLongScripts runs the scripts that compile the standard library again.
func TestLongScripts(t *testing.T) {
	devicestest.Long(t)
	scripttest.RunIn(t, "testdata/long", "../registry")
}
