package scale

import (
	"encoding/csv"
	"io"
	"strconv"
)

// writePoints writes the weights, the thresholds, and the risks of ranges of scores and of each score, in
// digits from which the same numbers are read.
func (m *Model) writePoints(w io.Writer) error {
	c := csv.NewWriter(w)
	c.Write([]string{"kind", "name", "from", "to", "value", "n", "low", "high"})
	for j, name := range m.Features {
		c.Write([]string{"weight", name, "", "", exactly(m.Weights[j]), "", "", ""})
	}
	for i, t := range m.Thresholds() {
		c.Write([]string{"threshold", m.Groups[i] + " | " + m.Groups[i+1], "", "", exactly(t), "", "", ""})
	}
	for _, r := range m.Risks {
		for g, name := range m.Groups {
			c.Write(riskLine("risk", name, r.Low, r.High, r.N, newShare(r.Counts[g], r.N)))
		}
	}
	for _, s := range m.Scores {
		for g, name := range m.riskNames() {
			c.Write(riskLine("score", name, s.Low, s.High, s.N, s.Risks[g]))
		}
	}
	c.Flush()
	return c.Error() // also of the writes above
}

// riskLine returns a line of the risk of objects whose scores are in a range.
func riskLine(kind, name string, low, high float64, n int, risk *Share) []string {
	return []string{
		kind, name, exactly(low), exactly(high), exactly(risk.Value), strconv.Itoa(n), exactly(risk.Low),
		exactly(risk.High),
	}
}

// writeAssigned writes the score, the group and the risks of each object. The function truth returns its true
// group; nil means that it is unknown.
func (m *Model) writeAssigned(w io.Writer, scores []float64, truth func(i int) string) error {
	c := csv.NewWriter(w)
	header := []string{"score", "assigned"}
	if truth != nil {
		header = append(header, "group")
	}
	if len(m.Scores) > 0 {
		header = append(header, m.riskNames()...)
	}
	c.Write(header)
	for i, f := range scores {
		row := []string{exactly(f), m.name(m.Assign(f))}
		if truth != nil {
			row = append(row, truth(i))
		}
		for _, risk := range m.risksOf(f) {
			row = append(row, exactly(risk.Value))
		}
		c.Write(row)
	}
	c.Flush()
	return c.Error() // also of the writes above
}

// exactly formats a number with as many digits as it needs to be read again.
func exactly(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
