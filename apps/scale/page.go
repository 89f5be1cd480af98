package scale

import (
	"bytes"
	_ "embed" // the page
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/plot"
	"github.com/skelgo/skelgo/apps/internal/printable"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"short": short, "percent": percent,
	"share":     func(s *Share) string { return s.text() },
	"score":     func(s ScoreRisk) string { return s.text() },
	"count":     app.Count[int],
	"lines":     strings.NewReplacer(", by", ",\nby", " (", "\n(").Replace,
	"uncertain": func(v *Validation) string { return v.uncertainText() },
}).Parse(pageText))

// page is what page.html shows.
type page struct {
	Name, Command, Example string
	Missing                string // what stands for missing values
	Date                   string
	N                      int
	Groups                 []string
	Points                 []pointsRow
	Ranges                 []rangeLine
	Measures               *Measures
	Rows                   []measureRow // of the table of measures
	RiskNames              []string
	Scores                 [][]ScoreRisk // in columns
	Validation             *Validation
	Resampling             *Resampling
	Picture                template.URL // the plot of the scores
	Curves                 []curve
	Cost                   string
}

// curve is a ROC curve in a square of side 100.
type curve struct {
	Name, Color, Path string
	AUC               float64
}

// pageColor returns the colour of a group in CSS.
func pageColor(i int) string {
	c := plot.Colors[i%len(plot.Colors)]
	return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
}

// writePage writes a page that needs no other file, to be printed.
func (j *job) writePage(w io.Writer, r *app.Runner) error {
	m := j.result.Model
	p := page{
		Name: filepath.Base(j.name), Command: r.Env.CommandLine(), Example: j.example(),
		Missing: j.missingText(), Groups: m.Groups,
		Date: time.Now().Format("2006-01-02"), N: j.data.N(), Points: j.points(), Ranges: m.ranges(),
		Measures: j.measures, Rows: j.measureRows(), RiskNames: m.riskNames(),
		Validation: j.validation, Resampling: j.resampling, Cost: strings.TrimSuffix(j.costText(), ", "),
	}
	p.Scores = columnsOf(m.listed(maxPrinted))
	var picture bytes.Buffer
	if err := j.plotSVG(&picture); err != nil {
		return err
	}
	p.Picture = template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(picture.Bytes()))
	for _, c := range j.curves {
		p.Curves = append(p.Curves, j.curve(c))
	}
	clean := printable.NewWriter(w, printable.XML) // names may hold what no document allows
	if err := pageTemplate.Execute(clean, p); err != nil {
		return err
	}
	return clean.Flush()
}

// columnsOf divides the risks of scores between two columns if there are many.
func columnsOf(list []ScoreRisk) [][]ScoreRisk {
	const few = 16
	if len(list) <= few {
		return [][]ScoreRisk{list}
	}
	return slices.Collect(slices.Chunk(list, (len(list)+1)/2))
}

// curve returns a ROC curve as the page draws it.
func (j *job) curve(c Curve) curve {
	var path strings.Builder
	for i, p := range c.Points {
		verb := "L"
		if i == 0 {
			verb = "M"
		}
		fmt.Fprintf(&path, "%s%.2f %.2f", verb, 100-100*p.Specificity, 100-100*p.Sensitivity)
	}
	g := slices.Index(j.result.Model.Groups, c.Group)
	return curve{c.Group, pageColor(g), path.String(), j.measures.Groups[g].AUC}
}
