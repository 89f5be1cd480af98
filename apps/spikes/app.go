package spikes

import (
	"github.com/skelgo/skelgo/apps/internal/app"
)

// App is the spike sorting application.
var App = app.App{
	Name:     "spikes",
	Help:     "Sort the waveforms of spikes into units, and write files for Phy.",
	Command:  Command{},
	Demo:     Demo{},
	DemoHelp: "Sort generated waveforms of spikes.",
	Rows:     rawRows,
	Short:    "demo spikes --spikes 300 --pca 3",
	Long:     "demo spikes --spikes 100000 --n-init 1000 -o sorted",
}

// Command is skelgo spikes.
type Command struct {
	Sort     SortCommand     `cmd:"" name:"run" default:"withargs" help:"Sort waveforms (the default)."`
	Generate GenerateCommand `cmd:"" help:"Generate waveforms, and which unit each is of."`
}

// Help returns what skelgo spikes --help shows besides the subcommands.
func (Command) Help() string {
	return `Sorting is the default:

   skelgo spikes generate --spikes 5000 -o generated
   skelgo spikes generated/waveforms.npy --times generated/times.npy --rate 30000 -o sorted

skelgo spikes run --help has the options of sorting.`
}
