package heat

import "github.com/skelgo/skelgo/apps/internal/app"

// App is the simulation of heat.
var App = app.App{
	Name:    "heat",
	Help:    "Simulate heat spreading on a plate, and draw it.",
	Command: Command{},
	Short:   "heat --size 64 --steps 20",
	Long:    "heat --size 4000 --steps 100000 -o plate.png",
}
