package tmixture

import (
	"fmt"

	"github.com/skelgo/skelgo/apps/internal/baseline"
	raw "github.com/skelgo/skelgo/apps/tmixture/baseline"
)

// publishedKernels has the thesis's measurements of a launch of each kernel, for a million rows,
// 64 columns and eight components on a Tesla C2070: the milliseconds in its Table 2, and the
// bytes that it counts and their GiB/s in its chapter 4. The product of the diagonal, which
// is on the host here, is missing.
var publishedKernels = map[string]struct{ printed, bytes, bandwidth float64 }{
	"subtract":     {1.24, 8 * 2 * 64e6, 76.984},
	"row_products": {10, 8 * (2*64e6 + 1e6), 598.423},
	"densities":    {0.96, 8 * 2 * 8e6, 15.537},
	"weights":      {0.19, 8 * 2 * 8e6, 77.945},
	"posteriors":   {0.32, 8 * 3 * 8e6, 71.172},
	"statistic":    {0.38, 8 * 3 * 8e6, 58.203},
	"sum_columns":  {0.07, 8 * 1e6, 11.062},
	"sum_products": {0.41, 8 * 2 * 8e6, 36.733},
	"multiply":     {0.30, 8 * 3 * 8e6, 73.974},
	"smx":          {1.26, 8 * 3 * 64e6, 113.894},
}

const kernelNote = `The thesis's are for a million rows on a Tesla C2070: the milliseconds in its Table 2, and those
that follow from the bandwidths in its chapter 4. Table 2 is too short by factors of 8 and 10 in
most rows: by it, smx would move 1200 GB/s, and the card's memory moves 144.`

// profile returns the times of the hand-written version's kernels, with the thesis's.
func profile(program *raw.Program, labels []int32) (all []baseline.Kernel, err error) {
	kernels, err := program.Profile(labels)
	for _, k := range kernels {
		row := baseline.Kernel{Name: k.Name, Launches: k.Launches, Bytes: k.Bytes, Time: k.Time}
		if t, ok := publishedKernels[k.Name]; ok {
			row.Published = fmt.Sprintf("%.2f ms; %.3g ms", t.printed, 1e3*t.bytes/t.bandwidth/(1<<30))
		}
		all = append(all, row)
	}
	return all, err
}
