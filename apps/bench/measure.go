package bench

import (
	"fmt"
	"io"
	"slices"
	"time"
)

// Row is what was measured of one task on one device.
type Row struct {
	Device, Task string
	Bytes        int64
	Impls        []string
	Medians      []time.Duration // one for each of Impls
}

// Measure times the cases of a task in turn, A B A B, so that what slows the
// machine down slows all of them. A round in advance builds the kernels.
func Measure(device string, t Task, rounds int) (Row, error) {
	row := Row{Device: device, Task: t.Name, Bytes: t.Bytes}
	times := make([][]time.Duration, len(t.Cases))
	for round := range rounds + 1 {
		for i, c := range t.Cases {
			start := time.Now()
			if err := c.Run(); err != nil {
				return row, fmt.Errorf("%s on %s, %s: %w", t.Name, device, c.Impl, err)
			}
			if round > 0 {
				times[i] = append(times[i], time.Since(start))
			}
		}
	}
	for i, c := range t.Cases {
		row.Impls = append(row.Impls, c.Impl)
		row.Medians = append(row.Medians, Median(times[i]))
	}
	return row, nil
}

// Median is the median of at least one duration.
func Median(times []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

// Ratio is how fast skelgo, the first, is compared with case i: 2 is twice as
// fast.
func (r Row) Ratio(i int) float64 { return float64(r.Medians[i]) / float64(r.Medians[0]) }

// Fprint writes the rows as a table of docs/performance.md: one line for each
// of the cases by hand.
func Fprint(w io.Writer, rows []Row) {
	fmt.Fprintln(w, "| device | task | skelgo | by hand | | skelgo's speed / by hand |")
	fmt.Fprintln(w, "|---|---|--:|---|--:|--:|")
	for _, r := range rows {
		for i := range r.Impls {
			if i > 0 {
				fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %.2f |\n", r.Device, r.Task, r.speed(0), r.Impls[i], r.speed(i), r.Ratio(i))
			}
		}
	}
}

// speed shows a median, and the bytes per second that it stands for.
func (r Row) speed(i int) string {
	d := r.Medians[i]
	return fmt.Sprintf("%.2f ms (%.1f GB/s)", float64(d)/1e6, float64(r.Bytes)/float64(d))
}
