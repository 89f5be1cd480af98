package compare

import (
	"fmt"
	"io"
	"time"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/baseline"
	"github.com/skelgo/skelgo/devices"
)

// report is the result for one application.
type report struct {
	App      string   `json:"app"`
	Size     string   `json:"size"`
	Versions []result `json:"twins"` // skelgo's come first; the key is older than the word version
}

// result is the result for one version.
type result struct {
	Version string          `json:"twin"`
	Device  string          `json:"device"`
	Lines   lines           `json:"lines"`
	Times   *baseline.Times `json:"seconds"` // nil if it could not run
}

// lines are the lines of code of a version.
type lines struct {
	Host      int `json:"host"`
	Kernel    int `json:"kernel"`
	Generated int `json:"generated"`
}

// row is one row of zlines.go.
type row struct {
	app, version string
	lines        lines
}

func linesOf(app, version string) lines {
	for _, r := range counted {
		if r.app == app && r.version == version {
			return r.lines
		}
	}
	return lines{}
}

// write prints the reports as tables.
func write(w io.Writer, d *devices.Device, reports []report) error {
	code := app.Table("lines of code", "", "host", "kernel", "both", "of skelgo's", "generated")
	for _, r := range reports {
		for i, t := range r.Versions {
			both := t.Lines.Host + t.Lines.Kernel
			first := r.Versions[0].Lines.Host + r.Versions[0].Lines.Kernel
			ratio := fmt.Sprintf("%.1f", float64(both)/float64(max(1, first)))
			code.AppendRow([]any{
				name(r, i), t.Version, t.Lines.Host, t.Lines.Kernel, both, ratio, t.Lines.Generated,
			})
		}
	}
	app.AlignRight(code, 3, 4, 5, 6, 7)

	speed := app.Table("run time", "", "on", "init", "build", "transfer", "kernel", "host", "total")
	for _, r := range reports {
		for i, t := range r.Versions {
			row := []any{name(r, i), t.Version, t.Device}
			if t.Times == nil {
				speed.AppendRow(append(row, "-", "-", "-", "-", "-", "-"))
				continue
			}
			s := t.Times
			for _, phase := range []time.Duration{s.Init, s.Build, s.Transfer, s.Kernel, s.Host, s.Total()} {
				row = append(row, app.Duration(phase))
			}
			speed.AppendRow(row)
		}
	}
	app.AlignRight(speed, 4, 5, 6, 7, 8, 9)

	sizes := ""
	for _, r := range reports {
		sizes += fmt.Sprintf("%s: %s. ", r.App, r.Size)
	}
	_, err := fmt.Fprintf(w, "%s\n\n%s\n\n%s%v is %s.\n", code.Render(), speed.Render(), sizes, d, d.Info().Name)
	return err
}

// name returns the application's name in the row of its first version.
func name(r report, i int) string {
	if i > 0 {
		return ""
	}
	return r.App
}
