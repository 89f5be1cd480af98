package lower

import (
	_ "embed"
	"fmt"
	"strings"
)

// subsetIntro is the part of docs/subset.md that describes what can be
// translated.
//
//go:embed subset.md
var subsetIntro string

// Subset returns the text of docs/subset.md: what can be translated, the survey
// of the standard library, and the rules by which constructs are refused.
func Subset(std []StdFunc) string {
	var b strings.Builder
	before, after, _ := strings.Cut(subsetIntro, "<!-- survey -->\n")
	b.WriteString(before + stdTable(std) + after)
	b.WriteString("\n| rule | refused |\n|---|---|\n")
	for _, r := range Rules() {
		fmt.Fprintf(&b, "| [%s](#%s) | %s |\n", r.ID, strings.ToLower(r.ID), r.Title)
	}
	for _, r := range Rules() {
		fmt.Fprintf(&b, "\n### %s\n\n**%s.** %s Instead: %s.\n\n", r.ID, r.Title, r.Why, r.Instead)
		fmt.Fprintf(&b, "```go\n%s\n```\n\nbecomes\n\n```go\n%s\n```\n", r.Bad, r.Good)
	}
	return b.String()
}
