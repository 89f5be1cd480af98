package scale

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/skelgo/skelgo/apps/internal/app"
)

// summary is the result as --json prints it.
type summary struct {
	Name       string       `json:"name"`
	N          int          `json:"n"`
	Features   []string     `json:"features"`
	Groups     []string     `json:"groups"`
	Weights    []float64    `json:"weights"`
	Thresholds []float64    `json:"thresholds"`
	Zones      [][2]float64 `json:"zones,omitempty"`
	Cost       float64      `json:"cost"`
	*Measures
	Risks     []Risk      `json:"risks"`
	Scores    []ScoreRisk `json:"scores"`
	ROC       []Curve     `json:"roc"`
	Path      []Step      `json:"path,omitempty"`
	Start     int         `json:"start"`
	Finished  bool        `json:"finished"`
	CVErrors  *float64    `json:"cv_errors,omitempty"`
	CV        *Validation `json:"cv,omitempty"`
	Bootstrap *Resampling `json:"bootstrap,omitempty"`
	Evaluated int64       `json:"evaluated"`
	Seed      uint64      `json:"seed"`
	Device    string      `json:"device"`
	app.Seconds
}

// Report implements app.Job.
func (j *job) Report(r *app.Runner) error {
	if !r.JSON {
		return j.print(r)
	}
	m := j.result.Model
	s := summary{
		Name: j.name, N: j.data.N(), Features: m.Features, Groups: m.Groups, Weights: m.Weights,
		Thresholds: m.Thresholds(), Zones: m.zones(), Cost: j.result.Cost, Measures: j.measures, Risks: m.Risks,
		Scores: m.Scores,
		Path:   j.result.Path, Start: j.result.Start, Finished: j.result.Finished, CV: j.validation,
		Bootstrap: j.resampling,
		Evaluated: j.result.Evaluated, Seed: j.Seed, Device: j.result.Device, Seconds: r.Seconds(),
	}
	for _, c := range j.curves {
		s.ROC = append(s.ROC, c.corners())
	}
	if j.validation != nil {
		s.CVErrors = &j.validation.Mean
	}
	return r.Env.JSON(s)
}

// zones returns the bounds of the uncertain zones.
func (m *Model) zones() (list [][2]float64) {
	for i := 0; m.Zones && i < len(m.Cuts); i += 2 {
		list = append(list, [2]float64{m.Cuts[i], m.Cuts[i+1]})
	}
	return list
}

// headerWidth is the width to which names are folded in headers.
const headerWidth = 12

// print prints the scale and its measures.
func (j *job) print(r *app.Runner) error {
	m, out := j.result.Model, r.Env.Stdout
	fmt.Fprintf(out, "%s: %s of %s, %s, on %s\n\n", j.name, app.Count(j.data.N(), "object"),
		app.Count(len(m.Features), "feature"), app.Count(len(m.Groups), "group"), j.result.Device)
	j.printPoints(out)
	if text := j.missingText(); text != "" {
		fmt.Fprintf(out, "\n%s\n", text)
	}
	j.printThresholds(out)
	j.printExample(out)
	j.printConfusion(out)
	j.printMeasures(out)
	j.printScores(out)
	if v := j.validation; v != nil {
		fmt.Fprintf(out, "\ncross-validation, %d folds, %s: %.1f ± %.1f errors, %s of the objects (95%%: %s to %s, "+
			"by bootstrap %s to %s)%s; %s errors among those that a scale was found for\n", v.Folds,
			app.Count(v.Repeats, "repeat"), v.Mean, v.SD, percent(v.Rate), percent(v.Low), percent(v.High),
			percent(v.Bootstrap.Low), percent(v.Bootstrap.High), v.uncertainText(), percent(v.Training))
	}
	if b := j.resampling; b != nil {
		fmt.Fprintf(out, "\nbootstrap, %s: %s errors among objects that are not in a sample (95%%: %s to %s), "+
			"optimism %s, corrected %s\n", app.Count(b.Samples, "sample"), percent(b.Rate), percent(b.Low),
			percent(b.High), percent(b.Optimism), percent(b.Corrected))
	}
	_, err := fmt.Fprintf(out, "\n%s%s, %s, %s\n", j.costText(), app.Count(j.measures.Errors, "error"),
		app.Count(j.result.Evaluated, "candidate"), app.Duration(r.ComputeTime()))
	return err
}

// costText returns the cost if it is not the number of errors.
func (j *job) costText() string {
	if j.result.Cost == float64(j.measures.Errors) {
		return ""
	}
	return fmt.Sprintf("cost %.6g, ", j.result.Cost)
}

// uncertainText returns the mean number of objects in uncertain zones, if there are any.
func (v *Validation) uncertainText() string {
	sum := 0
	for _, n := range v.Uncertain {
		sum += n
	}
	if sum == 0 {
		return ""
	}
	return fmt.Sprintf(", and %.1f objects in uncertain zones", float64(sum)/float64(v.Repeats))
}

// percent formats a share.
func percent(v float64) string { return fmt.Sprintf("%.1f%%", 100*v) }

func (j *job) printPoints(out io.Writer) {
	header, right := []any{"feature", "points per unit", "values", "points"}, []int{2}
	if j.resampling != nil {
		header, right = append(header, "bootstrap 95%"), append(right, 5)
	}
	t := app.Table(header...)
	app.AlignRight(t, right...)
	for i, p := range j.points() {
		row := []any{p.Feature, short(p.Weight), fmt.Sprintf("%s to %s", short(p.Low), short(p.High)),
			fmt.Sprintf("%s to %s", short(p.From), short(p.To))}
		if p.Weight == 0 {
			row[3] = "not used"
		}
		if b := j.resampling; b != nil {
			row = append(row, fmt.Sprintf("%s to %s", short(b.Weights[i].Low), short(b.Weights[i].High)))
		}
		t.AppendRow(row)
	}
	fmt.Fprintln(out, t.Render())
}

// pointsRow is a row of the table of points.
type pointsRow struct {
	Feature   string
	Weight    float64
	Low, High float64 // values of the feature among the objects
	From, To  float64 // points for them
}

// missingText says which values stand for missing ones of the features in use, or is empty.
func (j *job) missingText() string {
	m := j.result.Model
	var list []string
	for i, w := range m.Weights[:len(m.Features)-len(m.Indicators)] {
		if m.Fills != nil && w != 0 {
			list = append(list, fmt.Sprintf("%s %s", m.Features[i], short(m.Fills[i])))
		}
	}
	if list == nil {
		return ""
	}
	text := "Where a value is missing, the median stands for it: " + strings.Join(list, ", ") + "."
	for i := range m.Indicators {
		if m.Weights[m.Indicators[i].Feature] != 0 {
			return text + ` A feature "... missing" is 1 there, and otherwise 0.`
		}
	}
	return text
}

// points returns the table of points.
func (j *job) points() (list []pointsRow) {
	for i, w := range j.result.Model.Weights {
		p := pointsRow{Feature: j.data.Features[i], Weight: w, Low: math.Inf(1), High: math.Inf(-1)}
		for k := range j.data.N() {
			if at := k*len(j.data.Features) + i; j.data.Missing == nil || !j.data.Missing[at] {
				p.Low, p.High = min(p.Low, j.data.X[at]), max(p.High, j.data.X[at])
			}
		}
		p.From, p.To = min(w*p.Low, w*p.High)+0, max(w*p.Low, w*p.High)+0
		list = append(list, p)
	}
	return list
}

func (j *job) printThresholds(out io.Writer) {
	fmt.Fprintln(out)
	for _, line := range j.result.Model.ranges() {
		fmt.Fprintf(out, "%-24s %s\n", line.Group, line.Text)
	}
}

// rangeLine says which scores a group has.
type rangeLine struct{ Group, Text string }

// ranges returns the scores of each group and zone.
func (m *Model) ranges() (list []rangeLine) {
	for s := range len(m.Cuts) + 1 {
		line := rangeLine{Group: "uncertain"}
		switch {
		case !m.Zones:
			line.Group = m.Groups[s]
		case s&1 == 0:
			line.Group = m.Groups[s/2]
		}
		switch {
		case s == 0:
			line.Text = "score " + m.upTo(s)
		case s == len(m.Cuts):
			line.Text = "score above " + short(m.Cuts[s-1])
		case m.Cuts[s-1] == m.Cuts[s]:
			if m.Zones && s&1 == 1 {
				continue // an empty zone
			}
			line.Text = "no score"
		case m.state(m.Cuts[s-1]) == s: // a zone
			line.Text = fmt.Sprintf("score from %s to %s", short(m.Cuts[s-1]), short(m.Cuts[s]))
		default:
			line.Text = fmt.Sprintf("score above %s and %s", short(m.Cuts[s-1]), m.upTo(s))
		}
		list = append(list, line)
	}
	return list
}

// upTo describes the upper bound of a state.
func (m *Model) upTo(state int) string {
	c := m.Cuts[state]
	if m.state(c) == state {
		return "up to " + short(c)
	}
	return "below " + short(c)
}

func (j *job) printExample(out io.Writer) { fmt.Fprintf(out, "\n%s\n", j.example()) }

// example shows how the score of the first object is computed.
func (j *job) example() string {
	m := j.result.Model
	var terms []string
	for i, w := range m.Weights {
		if w != 0 {
			terms = append(terms, fmt.Sprintf("%s·%s", short(w), short(j.data.row(0)[i])))
		}
	}
	f := j.scores[0]
	return fmt.Sprintf("Example: the first object has the score %s = %s, and is assigned to: %s (its group is %s).",
		strings.ReplaceAll(strings.Join(terms, " + "), "+ -", "- "), short(f), m.name(m.Assign(f)),
		m.Groups[j.data.Group[0]])
}

func (j *job) printConfusion(out io.Writer) {
	m := j.result.Model
	header, right := []any{"group"}, []int(nil)
	for i, g := range m.Groups {
		header, right = append(header, "assigned\n"+app.Fold(g, headerWidth)), append(right, i+2)
	}
	if j.measures.Uncertain > 0 {
		header, right = append(header, "uncertain"), append(right, len(header)+1)
	}
	t := app.Table(header...)
	app.AlignRight(t, right...)
	for g, counts := range j.measures.Confusion {
		row := []any{m.Groups[g]}
		for _, n := range counts {
			row = append(row, n)
		}
		if j.measures.Uncertain > 0 {
			row = append(row, j.measures.Undecided[g])
		}
		t.AppendRow(row)
	}
	fmt.Fprintf(out, "\n%s\n", t.Render())
}

func (j *job) printMeasures(out io.Writer) {
	t := app.Table("group", "among", "sensitivity", "specificity", "PPV", "NPV", "AUC")
	for _, r := range j.measureRows() {
		row := []any{r.Group, r.Among}
		for _, c := range r.Cells {
			row = append(row, c)
		}
		t.AppendRow(row)
	}
	fmt.Fprintf(out, "\n%s\n", t.Render())
}

// measureRow is a row of the table of measures: those of a group among some objects.
type measureRow struct {
	Group, Among string
	Cells        []string // in the order of GroupEstimate
}

// measureRows returns the measures of each group that is shown among the objects that the scale was found
// for, and what they are estimated to be among others.
func (j *job) measureRows() (list []measureRow) {
	from := len(j.measures.Groups) - len(j.measures.shown())
	for i, g := range j.measures.shown() {
		area := fmt.Sprintf("%.4f", g.AUC)
		if g.AUCInterval != nil {
			area += fmt.Sprintf(" (%.4f-%.4f)", g.AUCInterval.Low, g.AUCInterval.High)
		}
		list = append(list, measureRow{g.Group, "these objects",
			[]string{g.Sensitivity.text(), g.Specificity.text(), g.PPV.text(), g.NPV.text(), area}})
		if j.validation != nil {
			list = append(list, j.validation.Measures[from+i].row("others, by cross-validation"))
		}
		if j.resampling != nil {
			list = append(list, j.resampling.Measures[from+i].row("others, by bootstrap"))
		}
	}
	return list
}

// row returns a row of the table of measures.
func (g *GroupEstimate) row(among string) measureRow {
	area := "-"
	if g.AUC != nil {
		area = fmt.Sprintf("%.4f (%.4f-%.4f)", g.AUC.Value, g.AUC.Low, g.AUC.High)
	}
	return measureRow{"", among, []string{g.Sensitivity.text(), g.Specificity.text(), g.PPV.text(), g.NPV.text(), area}}
}

// text formats an estimate and its interval in percent.
func (e *Estimate) text() string {
	if e == nil {
		return "-"
	}
	return fmt.Sprintf("%.1f%% (%.1f-%.1f)", 100*e.Value, 100*e.Low, 100*e.High)
}

// shown returns the groups whose measures are shown: of two groups the upper one, because those of the
// other follow from them.
func (r *Measures) shown() []GroupMeasure {
	if len(r.Groups) == 2 {
		return r.Groups[1:]
	}
	return r.Groups
}

// text formats a share and its interval in percent.
func (s *Share) text() string {
	if s == nil {
		return "-"
	}
	return fmt.Sprintf("%.1f%% (%.1f-%.1f)", 100*s.Value, 100*s.Low, 100*s.High)
}

// maxPrinted is the maximum number of scores that the report lists one by one.
const maxPrinted = 30

// printScores prints the risk of each score.
func (j *job) printScores(out io.Writer) {
	m := j.result.Model
	header, right := []any{"score", "assigned", "objects"}, []int{3}
	for _, name := range m.riskNames() {
		header = append(header, app.Fold(name, headerWidth+8))
	}
	t := app.Table(header...)
	app.AlignRight(t, right...)
	for _, s := range m.listed(maxPrinted) {
		row := []any{s.text(), s.Group, s.N}
		for _, r := range s.Risks {
			row = append(row, r.text())
		}
		t.AppendRow(row)
	}
	fmt.Fprintf(out, "\n%s\n", t.Render())
}

// riskNames returns the headers of the columns of risks.
func (m *Model) riskNames() (list []string) {
	for g := 1; g < len(m.Groups); g++ {
		name := "risk of " + m.Groups[g]
		if g < len(m.Groups)-1 {
			name += " or above"
		}
		list = append(list, name)
	}
	return list
}

// scores formats the range.
func (r *Risk) scores() string {
	if r.Low == r.High {
		return short(r.Low)
	}
	return short(r.Low) + " to " + short(r.High)
}
