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

	kernelNote string
}

// result is the result for one version.
type result struct {
	Version string          `json:"twin"`
	Device  string          `json:"device"`
	Lines   lines           `json:"lines"`
	Times   *baseline.Times `json:"seconds"` // nil if it could not run
	Kernels []kernel        `json:"kernels,omitempty"`
}

// kernel is what a version measured of one of its kernels.
type kernel struct {
	Name     string  `json:"name"`
	Launches int     `json:"launches"`
	Bytes    float64 `json:"bytes"`   // of one launch
	Seconds  float64 `json:"seconds"` // of one launch
	// Published is not for programs: it is a text.
	Published string `json:"-"`
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
	_, err := fmt.Fprintf(w, "%s\n\n%s\n\n%s%s%v is %s.\n", code.Render(), speed.Render(), kernelTables(reports),
		sizes, d, d.Info().Name)
	return err
}

// kernelTables returns a table for each version that measured its kernels one by one.
func kernelTables(reports []report) (text string) {
	for _, r := range reports {
		for _, v := range r.Versions {
			if len(v.Kernels) == 0 {
				continue
			}
			t := app.Table("kernel of "+r.App+" "+v.Version, "launches", "MB", "time", "GB/s", "published")
			for _, k := range v.Kernels {
				took := app.Duration(time.Duration(k.Seconds * 1e9))
				t.AppendRow([]any{
					k.Name, k.Launches, fmt.Sprintf("%.3g", k.Bytes/1e6), took,
					fmt.Sprintf("%.3g", k.Bytes/k.Seconds/1e9), k.Published,
				})
			}
			app.AlignRight(t, 2, 3, 4, 5, 6)
			text += fmt.Sprintf("%s\n\nBytes and times are those of one launch.\n%s\n\n", t.Render(), r.kernelNote)
		}
	}
	return text
}

// name returns the application's name in the row of its first version.
func name(r report, i int) string {
	if i > 0 {
		return ""
	}
	return r.App
}
