package compare

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/skelgo/skelgo/apps/internal/cli"
	"github.com/skelgo/skelgo/devices"
)

// report is what is known of one application.
type report struct {
	App   string   `json:"app"`
	Size  string   `json:"size"`
	Twins []result `json:"twins"` // skelgo's first
}

// result is what is known of one of its twins.
type result struct {
	Twin   string `json:"twin"`
	Device string `json:"device"`
	Lines  lines  `json:"lines"`
	Times  *times `json:"seconds"` // nil when it could not run
}

// lines are the lines of code of a twin.
type lines struct {
	Host      int `json:"host"`
	Kernel    int `json:"kernel"`
	Generated int `json:"generated"`
}

// row is one row of zlines.go.
type row struct {
	app, twin string
	lines     lines
}

func linesOf(app, twin string) lines {
	for _, r := range counted {
		if r.app == app && r.twin == twin {
			return r.lines
		}
	}
	return lines{}
}

// MarshalJSON writes seconds.
func (t *times) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]float64{
		"init": t.Init.Seconds(), "build": t.Build.Seconds(), "transfer": t.Transfer.Seconds(),
		"kernel": t.Kernel.Seconds(), "host": t.Host.Seconds(), "total": t.total().Seconds(),
	})
}

// write prints the reports as tables.
func write(w io.Writer, d *devices.Device, reports []report) error {
	code := cli.Table("lines of code", "", "host", "kernel", "both", "of skelgo's", "generated")
	for _, r := range reports {
		for i, t := range r.Twins {
			both := t.Lines.Host + t.Lines.Kernel
			first := r.Twins[0].Lines.Host + r.Twins[0].Lines.Kernel
			code.AppendRow([]any{name(r, i), t.Twin, t.Lines.Host, t.Lines.Kernel, both, fmt.Sprintf("%.1f", float64(both)/float64(max(1, first))), t.Lines.Generated})
		}
	}
	cli.AlignRight(code, 3, 4, 5, 6, 7)

	speed := cli.Table("run time", "", "on", "init", "build", "transfer", "kernel", "host", "total")
	for _, r := range reports {
		for i, t := range r.Twins {
			row := []any{name(r, i), t.Twin, t.Device}
			if t.Times == nil {
				speed.AppendRow(append(row, "-", "-", "-", "-", "-", "-"))
				continue
			}
			for _, phase := range []time.Duration{t.Times.Init, t.Times.Build, t.Times.Transfer, t.Times.Kernel, t.Times.Host, t.Times.total()} {
				row = append(row, cli.Duration(phase))
			}
			speed.AppendRow(row)
		}
	}
	cli.AlignRight(speed, 4, 5, 6, 7, 8, 9)

	sizes := ""
	for _, r := range reports {
		sizes += fmt.Sprintf("%s: %s. ", r.App, r.Size)
	}
	_, err := fmt.Fprintf(w, "%s\n\n%s\n\n%s%v is %s.\n", code.Render(), speed.Render(), sizes, d, d.Info().Name)
	return err
}

// name is the application's name, in the row of its first twin.
func name(r report, i int) string {
	if i > 0 {
		return ""
	}
	return r.App
}
