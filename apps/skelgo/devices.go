package main

import (
	"fmt"
	"maps"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/devices"
)

// devicesCommand is skelgo devices.
type devicesCommand struct {
	JSON bool `name:"json" help:"Print the list as one line of JSON."`
}

// deviceRow is a device as --json shows it.
type deviceRow struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Kind     string `json:"kind"`
	Platform string `json:"platform,omitempty"`
	Version  string `json:"version"`
	Units    int    `json:"units"`
	Memory   int64  `json:"memory_bytes"`
	MaxAlloc int64  `json:"max_alloc_bytes"`
	Float64  bool   `json:"float64"`
	Default  bool   `json:"default"`
	// Contracts is omitted by most machines.
	Contracts bool `json:"contracts,omitempty"`
}

// Run lists the devices.
func (c devicesCommand) Run(env *app.Env) error {
	all, err := devices.List()
	if err != nil {
		return err
	}
	usual, err := devices.Default()
	if err != nil {
		env.Notef("%v", err)
	}
	rows := make([]deviceRow, len(all))
	for i, d := range all {
		n := d.Info()
		rows[i] = deviceRow{d.ID(), strings.TrimSpace(n.Name), n.Kind.String(), n.Platform, n.Version, n.Units,
			n.Memory, n.MaxAlloc, n.Float64, d == usual, n.Contracts}
	}
	missing := devices.Missing()
	if c.JSON {
		return env.JSON(map[string]any{"devices": rows, "missing": missing})
	}
	t := app.Table("device", "name", "kind", "units", "memory", "version")
	for _, r := range rows {
		id := r.ID
		if r.Default {
			id += " *"
		}
		t.AppendRow([]any{id, r.Name, r.Kind, r.Units, app.Bytes(r.Memory), text.Snip(r.Version, 24, "...")})
	}
	app.AlignRight(t, 4, 5)
	fmt.Fprintf(env.Stdout, "%s\n\n* is the default; -d or SKEL_DEVICE chooses another device\n", t.Render())
	fmt.Fprint(env.Stdout, contraction(rows))
	for _, kind := range slices.Sorted(maps.Keys(missing)) {
		fmt.Fprintf(env.Stdout, "no %s: %s\n", kind, missing[kind])
	}
	return nil
}

// contraction returns a line for each device that computes other bits than the rest,
// because Go's compiler has contracted expressions.
func contraction(rows []deviceRow) string {
	var b strings.Builder
	for _, r := range rows {
		if r.Contracts {
			fmt.Fprintf(&b, "%s: Go's compiler contracts x*y + z for %s, so the last bits of float32 and float64 may "+
				"differ from those of other devices\n", r.ID, build())
		}
	}
	return b.String()
}

// build names the processors for which this program is built.
func build() string {
	arch := runtime.GOARCH
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "GO"+strings.ToUpper(arch) {
				return s.Key + "=" + s.Value
			}
		}
	}
	return "GOARCH=" + arch
}
