package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/apps/internal/data/output"
)

// Heading describes the run.
type Heading struct {
	OS      string `json:"goos"`
	Arch    string `json:"goarch"`
	Cores   int    `json:"cores"`
	Go      string `json:"go"`
	Skelgo  string `json:"skelgo"`
	Device  string `json:"device"`
	Name    string `json:"name"`
	Version string `json:"version"` // of the driver
	MaxLog2 int    `json:"max_log2"`
	Rounds  int    `json:"rounds"`
	Date    string `json:"date"`
}

func heading(s *benchmark.Suite) Heading {
	version, n := "unknown", s.Device.Info()
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
	}
	return Heading{runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0), runtime.Version(), version,
		s.Device.ID(), strings.TrimSpace(n.Name), n.Version, s.MaxLog2, s.Rounds, time.Now().UTC().Format(time.RFC3339)}
}

// String formats the heading as the configuration lines of Go's benchmarks, which
// benchstat reads.
func (h Heading) String() string {
	return fmt.Sprintf("goos: %s\ngoarch: %s\npkg: github.com/skelgo/skelgo/apps/bench\ncores: %d\ngo: %s\n"+
		"skelgo: %s\ndevice: %s (%s, %s)\nmax-log2: %d\nrounds: %d\ndate: %s\n",
		h.OS, h.Arch, h.Cores, h.Go, h.Skelgo, h.Device, h.Name, h.Version, h.MaxLog2, h.Rounds, h.Date)
}

// Report is the result of a run.
type Report struct {
	Heading Heading             `json:"run"`
	Results []*benchmark.Result `json:"rows"`
	Sweep   []Curve             `json:"sweep,omitempty"`
}

// save adds the report to a set of files, as JSON.
func (r *Report) save(files *output.Set, name string) error {
	return files.Write(name, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(r)
	})
}

// benchmarks writes a result in the format of Go's benchmarks, with a line per round.
func benchmarks(w io.Writer, r *benchmark.Row, result *benchmark.Result, device string) {
	lines := func(impl string, times benchmark.Times, allocs *float64) {
		for _, t := range times {
			fmt.Fprintf(w, "%s\t1\t%.6g ns/op", r.Benchmark(device, impl), float64(t)*1e9)
			if r.Bytes > 0 {
				fmt.Fprintf(w, "\t%.6g MB/s", float64(r.Bytes)/float64(t)/1e6)
			}
			if allocs != nil {
				fmt.Fprintf(w, "\t%.3g allocs/op", *allocs)
			}
			fmt.Fprintln(w)
		}
	}
	lines("skelgo", result.Time, result.Allocs)
	for _, c := range result.Comparisons {
		lines(c.Yardstick, c.Time, nil)
	}
}

// list prints the rows and their goals.
func list(w io.Writer, rows []*benchmark.Row) {
	t := app.Table("row", "memory", "goal")
	for _, r := range rows {
		t.AppendRow([]any{r.Name, app.Bytes(r.Memory), goalsOf(r)})
	}
	app.AlignRight(t, 2)
	fmt.Fprintln(w, t.Render())
}

// goalsOf formats the goals of a row.
func goalsOf(r *benchmark.Row) string {
	var all []string
	for _, g := range r.Goals {
		all = append(all, fmt.Sprintf("%.3g of %s", g.Ratio, g.Yardstick))
	}
	if r.MaxTime > 0 {
		all = append(all, app.Duration(r.MaxTime))
	}
	if r.MaxAllocs > 0 {
		all = append(all, fmt.Sprintf("%d allocations", r.MaxAllocs))
	}
	return strings.Join(all, ", ")
}

// tableOf formats the results, with a line for each yardstick of a row.
func tableOf(results []*benchmark.Result) string {
	t := app.Table("row", "floor", "skelgo", "quartiles", "GB/s", "yardstick", "its time", "quartiles",
		"ratio", "goal", "")
	short, asked := 0, 0
	count := func(m benchmark.Mark) benchmark.Mark {
		if m != benchmark.NoGoal {
			asked++
		}
		if m == benchmark.Missed {
			short++
		}
		return m
	}
	for _, r := range results {
		if r.Skipped != "" || r.Failed != "" {
			what := "left out"
			if r.Failed != "" {
				what = "FAILED"
			}
			t.AppendRow(table.Row{r.Name, "", what})
			continue
		}
		row := table.Row{r.Name, duration(r.Floor), duration(r.Time.Median()), spread(r.Time), bandwidth(r)}
		if r.MaxTime > 0 || r.MaxAllocs > 0 || len(r.Comparisons) == 0 {
			t.AppendRow(append(row, "", "", "", allocs(r), absolute(r), count(r.Mark())))
			row = table.Row{"", "", "", "", ""}
		}
		for _, c := range r.Comparisons {
			t.AppendRow(append(row, c.Yardstick, duration(c.Time.Median()), spread(c.Time),
				fmt.Sprintf("%.3f", c.Ratio), optional(c.Goal), count(c.Mark())))
			row = table.Row{"", "", "", "", ""}
		}
	}
	app.AlignRight(t, 2, 3, 4, 5, 7, 8, 9, 10)
	s := t.Render() + "\n\n" + legend
	for _, r := range results {
		if r.Note != "" {
			s += r.Name + ": " + r.Note + "\n"
		}
	}
	return s + fmt.Sprintf("%d of %d goals are met.\n", asked-short, asked)
}

const legend = `Times are per call: medians of the rounds, with quartiles. The ratio is skelgo's speed
divided by that of the yardstick. copy is the time in which the device copy moves the
row's bytes, which is the floor.
`

func duration(s benchmark.Seconds) string {
	if s == 0 {
		return ""
	}
	return app.Duration(time.Duration(float64(s) * 1e9))
}

// spread formats the quartiles as differences from the median.
func spread(t benchmark.Times) string {
	m := t.Median()
	if m == 0 {
		return ""
	}
	return fmt.Sprintf("%+.1f%% %+.1f%%", 100*float64(t.Quantile(0.25)/m-1), 100*float64(t.Quantile(0.75)/m-1))
}

func bandwidth(r *benchmark.Result) string {
	if r.Bytes == 0 {
		return ""
	}
	return fmt.Sprintf("%.4g", r.Bandwidth()/1e9)
}

func optional(v float64) string {
	if v == 0 {
		return ""
	}
	return fmt.Sprintf("%.3g", v)
}

// allocs formats the allocations of a call, in place of a ratio.
func allocs(r *benchmark.Result) string {
	if r.Allocs == nil {
		return ""
	}
	return fmt.Sprintf("%.3g allocs", *r.Allocs)
}

// absolute formats the goals of a row that need no yardstick.
func absolute(r *benchmark.Result) string {
	var all []string
	if r.MaxTime > 0 {
		all = append(all, duration(r.MaxTime))
	}
	if r.MaxAllocs > 0 {
		all = append(all, fmt.Sprintf("%d allocs", r.MaxAllocs))
	}
	return strings.Join(all, ", ")
}
