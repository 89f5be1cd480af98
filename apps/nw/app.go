package nw

import "github.com/skelgo/skelgo/apps/internal/app"

// App is the alignment of sequences.
var App = app.App{
	Name:       "nw",
	Help:       "Align protein or nucleotide sequences (Needleman-Wunsch).",
	Command:    Command{},
	Comparison: comparison,
	Rows:       benchRows,
	Short:      "nw --rodinia 64",
	Long:       "nw --rodinia 100000 --matrix PAM250 -o alignment --plot path.svg",
}
