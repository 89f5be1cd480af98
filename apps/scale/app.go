package scale

import "github.com/skelgo/skelgo/apps/internal/app"

// App is the diagnostic scale application.
var App = app.App{
	Name:       "scale",
	Help:       "Find a diagnostic scale: weights and thresholds that separate ordered groups.",
	Command:    Command{},
	Demo:       Demo{},
	DemoHelp:   "Find a scale for generated patients.",
	Comparison: comparison,
	Rows:       benchRows,
	Short:      "demo scale --starts 2",
	Long:       "demo scale --n 2000 --integer -5..5 --starts 1000 --html scale.html",
}

// Command is skelgo scale.
type Command struct {
	Find  FindCommand  `cmd:"" name:"run" default:"withargs" help:"Find a scale (the default)."`
	Apply ApplyCommand `cmd:"" help:"Apply a scale that --save has written to other objects."`
}

// Help returns what skelgo scale --help shows besides the subcommands.
func (Command) Help() string {
	return `Finding a scale is the default:

   skelgo scale patients.csv --group stage --order healthy,mild,severe --integer -5..5 --save model.json
   skelgo scale apply model.json others.csv

skelgo scale run --help has the options of finding one.`
}
