package frequency

import (
	"context"
	"math"
	"strconv"
	"strings"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/apps/internal/plot"
)

// Command is skelgo grid frequency.
type Command struct {
	Signal    string   `placeholder:"FILE" help:"Samples at equal distances, from time 0 on, as text or .npy."`
	Code      string   `placeholder:"HEX" help:"Code of the signal: hexadecimal digits of four bits each."`
	Rate      float64  `placeholder:"HZ" help:"Samples per second."`
	Carrier   float64  `default:"465000" placeholder:"HZ" help:"Carrier of the coded signal; default ${default}."`
	Paper     bool     `help:"Use the signal, code, carrier and rate of the paper."`
	AsPrinted bool     `help:"With --paper: as printed, with one 456000 that should be 465000."`
	Axis      string   `placeholder:"A:S:N" help:"Evaluate N frequencies from A Hz on, S Hz apart."`
	From      *float64 `placeholder:"HZ" help:"Instead of --axis: the first frequency."`
	To        *float64 `placeholder:"HZ" help:"The last frequency."`
	Step      float64  `placeholder:"HZ" help:"The distance between frequencies."`
	Method    string   `enum:"auto,series,direct" default:"auto" help:"How sums over samples are computed: ${enum}."`
	Precision string   `enum:"float64,float32" default:"float64" help:"Precision of F: ${enum}."`
	Level     float64  `default:"0.95" placeholder:"P" help:"Probability of the interval; default ${default}."`
	Curve     string   `placeholder:"FILE" help:"Write frequencies and F, some at equal distances, as csv or .npy."`
	Points    int      `default:"2001" placeholder:"N" help:"Points of --curve and --plot; default ${default}."`
	Plot      string   `placeholder:"FILE" help:"Draw F as .png or .svg."`
	app.Flags
}

// Help returns what skelgo grid frequency --help shows besides the flags.
func (*Command) Help() string {
	return `An oscillation of unknown frequency, such as interference, is superimposed on a signal whose carrier
changes its phase by a known code. F = Q - r'C⁻¹r is the energy that remains of the samples when the best combination
of the signal and of an oscillation of frequency f is subtracted. The frequency where F is lowest is the estimate of
maximum likelihood:

   skelgo grid frequency --signal samples.npy --code C44B --rate 5e6 --from 460000 --to 473000 --step 0.001
   skelgo grid frequency --paper --axis 460000:10:1300 --plot f.png

The bits of the code share the samples equally; the carrier is negated in bits that are 0. The first of several lowest
nodes counts. Where the equations are singular, for example at frequency 0, F is NaN; such nodes are counted and never
lowest.

The frequency between the nodes is found by Newton's method. The interval contains it with probability --level if the
noise of the samples is independent and normal; its width follows from the noise that remains and from the curvature
of F.

--method series computes Taylor series of the sums for blocks of frequencies, which for many nodes is a hundred
times as fast as direct, and differs from it by rounding only. Sums over the samples are in float64. --precision
float32 evaluates F from them in float32, and prints a bound of the errors: near a deep minimum these are larger than
F itself, so that the position may be wrong and F negative.

JSON: name, n (samples), nodes, position (from 0), argument (its frequency), value (F there), nans, infinities,
frequency (between the nodes), minimum (F there), error (standard deviation), interval, level, noise (standard
deviation, of a sample), error_bound (with float32), method, precision, device, seconds and total_seconds. What is
unbounded or unknown is null.`
}

// Run finds the frequency.
func (c *Command) Run(ctx context.Context, env *app.Env) error {
	return app.Run(ctx, env, c.Flags, &job{Command: c})
}

// check returns the options of Minimize, or an error if the command's are wrong.
func (c *Command) check() (o Options, code Code, err error) {
	if err := c.checkSignal(); err != nil {
		return o, nil, err
	}
	if !c.Paper {
		if code, err = ParseCode(c.Code); err != nil {
			return o, nil, app.InputErrorf("--%w", err)
		}
	}
	o = Options{Float32: c.Precision == "float32", Level: c.Level}
	if c.Method != "auto" {
		o.Method = Method(c.Method)
	}
	if err := c.axis(&o); err != nil {
		return o, nil, err
	}
	switch {
	case !(c.Level > 0 && c.Level < 1):
		return o, nil, app.InputErrorf("--level %v: it must be between 0 and 1", c.Level)
	case c.Points < 2 || c.Points > 1<<24:
		return o, nil, app.InputErrorf("--points %d: it must be from 2 to %d", c.Points, 1<<24)
	}
	if err := plot.Check(c.Plot); err != nil {
		return o, nil, app.InputError(err)
	}
	return o, code, c.CheckFiles(
		[]output.Named{{Option: "--signal", Name: c.Signal}},
		[]output.Named{{Option: "--curve", Name: c.Curve}, {Option: "--plot", Name: c.Plot}})
}

// checkSignal checks the options that describe the signal.
func (c *Command) checkSignal() error {
	switch {
	case c.Paper && (c.Signal != "" || c.Code != "" || c.Rate != 0):
		return app.InputErrorf("--paper cannot be combined with --signal, --code and --rate")
	case c.Paper && c.Carrier != paperCarrier:
		return app.InputErrorf("--paper cannot be combined with --carrier")
	case c.Paper:
		return nil
	case c.AsPrinted:
		return app.InputErrorf("--as-printed needs --paper")
	case c.Signal == "":
		return app.InputErrorf("--signal FILE is required, or --paper")
	case c.Code == "":
		return app.InputErrorf("--code HEX is required, such as C44B")
	case c.Rate == 0:
		return app.InputErrorf("--rate HZ is required, the number of samples per second, such as 5e6")
	case !(c.Rate > 0) || math.IsInf(c.Rate, 0):
		return app.InputErrorf("--rate %v: it must be a positive number of samples per second", c.Rate)
	}
	return nil
}

// axis reads --axis, or --from, --to and --step.
func (c *Command) axis(o *Options) error {
	switch {
	case c.Axis != "" && (c.From != nil || c.To != nil || c.Step != 0):
		return app.InputErrorf("--axis cannot be combined with --from, --to and --step")
	case c.Axis != "":
		return parseAxis(c.Axis, o)
	case c.From == nil || c.To == nil || c.Step == 0:
		return app.InputErrorf("--from, --to and --step are required, or --axis")
	case !(c.Step > 0) || math.IsInf(c.Step, 0):
		return app.InputErrorf("--step %v: it must be a positive number of Hz", c.Step)
	case !(*c.To >= *c.From):
		return app.InputErrorf("--to %v: it must not be less than --from %v", *c.To, *c.From)
	}
	steps := math.Floor((*c.To-*c.From)/c.Step*(1+1e-15) + 1e-9) // --to is a node even if the steps are rounded
	if !(steps < largestCount) {
		return app.InputErrorf("--step %v: there would be %.3g frequencies; at most %d are possible", c.Step, steps,
			largestCount)
	}
	o.From, o.Step, o.Count = *c.From, c.Step, int(steps)+1
	return nil
}

// parseAxis reads the value of --axis.
func parseAxis(s string, o *Options) error {
	fields := strings.Split(s, ":")
	if len(fields) != 3 {
		return app.InputErrorf("--axis %s: it must be BEGIN:STEP:COUNT, such as 460000:10:1300", s)
	}
	var err1, err2, err3 error
	o.From, err1 = strconv.ParseFloat(fields[0], 64)
	o.Step, err2 = strconv.ParseFloat(fields[1], 64)
	o.Count, err3 = strconv.Atoi(fields[2])
	switch {
	case err1 != nil || o.From-o.From != 0:
		return app.InputErrorf("--axis %s: the first frequency %q is not a number", s, fields[0])
	case err2 != nil || !(o.Step > 0) || math.IsInf(o.Step, 0):
		return app.InputErrorf("--axis %s: the step %q is not a positive number", s, fields[1])
	case err3 != nil || o.Count < 1 || o.Count > largestCount:
		return app.InputErrorf("--axis %s: the number of frequencies %q is not a whole number from 1 to %d", s,
			fields[2], largestCount)
	}
	return nil
}
