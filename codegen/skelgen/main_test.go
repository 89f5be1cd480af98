package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/skelgo/skelgo/codegen/internal/scripttest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"skelgen": func() { os.Exit(run(os.Args[1:], os.Stderr)) },
	})
}

func TestScripts(t *testing.T) { scripttest.Run(t, "../registry") }
