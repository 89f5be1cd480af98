package grid

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/skelgo/skelgo/apps/internal/app"
)

// MinimizeCommand is skelgo grid minimize, which is also skelgo grid.
type MinimizeCommand struct {
	Function string   `arg:"" optional:"" name:"function" help:"A function that is built in; see below."`
	Expr     string   `sign:"" placeholder:"FORMULA" help:"A formula instead, such as '(x-1)^2 + sin(y)'."`
	Func     string   `placeholder:"FILE.go" help:"A Go function F instead; needs the go command."`
	Axis     []string `sign:"" sep:"none" placeholder:"B:S:N" help:"Axis begin:step:count or begin:*factor:count."`
	Top      int      `placeholder:"K" help:"Also print the K nodes with the least values."`
	Local    bool     `help:"Also find all local minima."`
	Level    *float64 `placeholder:"L" help:"Also find where the function is below L."`
	Refine   int      `placeholder:"R" help:"Search finer grids around the best nodes (see --top), R times."`
	Polish   string   `enum:"none,golden,newton" default:"none" help:"Improve the minimum by an iteration: ${enum}."`
	Values   string   `placeholder:"FILE" help:"Write the values on two axes, through the minimum, as .npy."`
	Plot     string   `placeholder:"FILE" help:"Draw the same as a heat map, .png or .svg; of one axis, a curve."`
	MapAxes  []int    `placeholder:"I,J" help:"The two axes of --values and --plot, from 1; the default is 1,2."`
	app.LongFlags

	custom *Function // of a program that --func has built
}

// Help returns what skelgo grid minimize --help shows besides the flags.
func (*MinimizeCommand) Help() string {
	var list strings.Builder
	for _, name := range Builtins() {
		fmt.Fprintf(&list, "   %-11s %s\n", name, builtins[name].help)
	}
	return `Functions:

` + list.String() + `
A grid has 1 to 8 axes and fewer than 2^52 nodes, which are never stored. Coordinate i of an axis is begin + step*i in
float64, rounded twice, or begin * factor^i. Positions count from 0, and the last axis is the fastest. Of equal
values, the lowest position wins. NaNs and infinities lose, and are counted.

A formula has the variables x, y, z and w, or x1 to x8, one for each axis; numbers, pi and e; + - * / ^ and
parentheses; and the functions abs, atan, atan2, cbrt, ceil, cos, erf, erfc, exp, exp2, expm1, floor, hypot,
lgamma, log, log10, log1p, log2, max, min, pow, sin, sqrt, tan and tanh.

FILE.go declares func F(x [2]float64) float64, with the number of axes, or func F(x, y float64) float64. It may
use package math64 of skelgo, whose functions are bit-identical on all devices. A function main is left out.

A local minimum is a node whose value is less than those of its neighbours on every axis. --refine searches a grid
of up to 21 nodes an axis between the neighbours of a node, again and again. --polish golden is the golden-section
search of one coordinate after the other, and newton is Newton's method; both stay between the neighbours of the
node. With --level, box is the range of all nodes below L, and interval the range around the minimum in one
coordinate while the others stay.

A checkpoint has no map of more than 2^24 values, which is computed again.

JSON: function, axes, nodes, position (-1 if no value is finite), argument, value, nans, infinities, top (with --top),
minima and local_minima (their number, with --local), below (with --level: level, nodes, box, interval), refined
(argument, value, nodes, step), polished (position, argument, value), device, seconds and total_seconds. If no value
is finite, the exit code is 1.`
}

// Run finds the minimum.
func (c *MinimizeCommand) Run(ctx context.Context, env *app.Env) error {
	j := &job{MinimizeCommand: c}
	if c.Func != "" {
		if err := j.Check(); err != nil {
			return err
		}
		return runFile(ctx, env, c.Func, len(j.axes))
	}
	return app.Run(ctx, env, c.Flags, j)
}

// function returns the function that the command line names.
func (c *MinimizeCommand) function(dim int) (*Function, error) {
	switch {
	case c.custom != nil:
		if c.custom.Dim != dim {
			return nil, fmt.Errorf("the function F has %s, but there %s", app.Count(c.custom.Dim, "variable"),
				axesText(dim))
		}
		return c.custom, nil
	case c.Expr != "":
		f, err := Expression(c.Expr, dim)
		if err != nil {
			return nil, fmt.Errorf("--expr: %w", err)
		}
		return f, nil
	}
	return Builtin(c.Function, dim)
}

func axesText(n int) string {
	if n == 1 {
		return "is 1 axis"
	}
	return fmt.Sprint("are ", n, " axes")
}

// check returns the axes, or an error if the options are wrong.
func (c *MinimizeCommand) check() (axes Axes, err error) {
	named := 0
	for _, s := range []string{c.Function, c.Expr, c.Func} {
		if s != "" {
			named++
		}
	}
	switch {
	case named == 0 && c.custom == nil:
		return nil, app.InputErrorf("a function is needed: %s, --expr FORMULA or --func FILE.go",
			strings.Join(Builtins(), ", "))
	case named > 1:
		return nil, app.InputErrorf("only one of a function, --expr and --func can be given")
	case len(c.Axis) == 0:
		return nil, app.InputErrorf("--axis begin:step:count is required, once for each variable")
	case c.Top < 0 || c.Top > MaxTop:
		return nil, app.InputErrorf("--top %d: it must be from 1 to %d", c.Top, MaxTop)
	case c.Level != nil && *c.Level-*c.Level != 0:
		return nil, app.InputErrorf("--level %v: it must be finite", *c.Level)
	case c.Refine < 0 || c.Refine > 100:
		return nil, app.InputErrorf("--refine %d: it must be from 1 to 100", c.Refine)
	case c.MapAxes != nil && c.Values == "" && c.Plot == "":
		return nil, app.InputErrorf("--map-axes needs --values or --plot")
	}
	for _, text := range c.Axis {
		a, err := parseAxis(text)
		if err != nil {
			return nil, app.InputErrorf("--axis %s: %w", text, err)
		}
		axes = append(axes, a)
	}
	if err := axes.check(); err != nil {
		return nil, app.InputErrorf("--axis: %w", err)
	}
	return axes, c.checkMap(len(axes))
}

// checkMap checks the options of the value map, and sets the default axes.
func (c *MinimizeCommand) checkMap(dim int) error {
	if c.MapAxes == nil {
		c.MapAxes = []int{1, 2}[:min(2, dim)]
	}
	m := c.MapAxes
	switch {
	case dim == 1 && !slices.Equal(m, []int{1}):
		return app.InputErrorf("--map-axes %v: the grid has only axis 1", m)
	case len(m) != min(2, dim) || slices.Min(m) < 1 || slices.Max(m) > dim || len(m) == 2 && m[0] == m[1]:
		return app.InputErrorf("--map-axes %v: it must be two different axes from 1 to %d", m, dim)
	}
	slices.Sort(m)
	return nil
}
