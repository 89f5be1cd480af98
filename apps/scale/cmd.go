package scale

import (
	"context"
	"time"

	"github.com/skelgo/skelgo/apps/internal/app"
)

// FindCommand is skelgo scale run, which is also skelgo scale.
type FindCommand struct {
	File     string   `arg:"" help:"Table with a header, a row per object, as csv, also gzipped; - is standard input."`
	Group    string   `placeholder:"COLUMN" help:"Column of the groups, by name or number."`
	Order    []string `placeholder:"GROUP" help:"The groups in ascending order: healthy,mild,severe."`
	Features []string `placeholder:"COLUMN" help:"Use only these features."`
	Ignore   []string `placeholder:"COLUMN" help:"Leave these columns out."`
	Weights  string   `placeholder:"COLUMN" help:"Column of the weights of the objects."`
	Missing  string   `enum:"error,median,group,drop" default:"error" help:"What to do with missing values: ${enum}."`
	options
}

// options are the options that the demo has, too.
type options struct {
	Evaluate    []float64 `placeholder:"A" help:"Only find the best thresholds for these weights."`
	Search      string    `enum:"exact,descent" default:"exact" help:"How weights are searched: ${enum}."`
	Integer     string    `placeholder:"LO..HI" help:"Weights are whole numbers, such as -5..5."`
	Bounds      string    `placeholder:"LO..HI" help:"Bounds of all weights; the default is -1..1."`
	Bound       []string  `placeholder:"FEATURE=LO..HI" help:"Bounds of one weight, such as age=0..5."`
	Step        float64   `placeholder:"H" help:"Step of --search descent and of random starts; the default is 0.1."`
	Start       []float64 `placeholder:"A" help:"Weights of the first start; the default is 1."`
	Starts      int       `placeholder:"N" help:"Number of starts; default 8, --integer 16, --search descent 1."`
	Seed        uint64    `default:"1" help:"Seed of the random choices."`
	Kicks       int       `placeholder:"N" help:"With --integer: changes at random when a start is stuck."`
	MaxFeatures int       `placeholder:"N" help:"Use at most N features."`
	Beam        int       `placeholder:"N" help:"Keep the N best weights of each round instead of separate starts."`

	TimeLimit time.Duration `placeholder:"DURATION" help:"Stop with the best scale so far after a time such as 10m."`

	Cost       []string `placeholder:"TRUE[:ASSIGNED]=COST" help:"Costs of mistakes, such as severe:healthy=5; else 1."`
	Uncertain  *float64 `placeholder:"COST" help:"Allow an uncertain zone around thresholds, at this cost per object."`
	AllowEmpty bool     `help:"Accept scales that assign no object to some group."`
	Unordered  bool     `help:"Try all orders of the groups, at most 6."`

	CV        int `name:"cv" placeholder:"FOLDS" help:"Cross-validate with this number of folds."`
	Repeats   int `default:"5" help:"Repeats of the cross-validation."`
	Bootstrap int `placeholder:"N" help:"Find scales for N bootstrap samples."`
	CVStarts  int `name:"cv-starts" default:"4" help:"Number of starts in the cross-validation and bootstrap."`

	Save     string `placeholder:"FILE" help:"Write the scale as JSON, for skelgo scale apply."`
	HTML     string `name:"html" placeholder:"FILE" help:"Write a page to print."`
	CSV      string `name:"csv" placeholder:"FILE" help:"Write points, thresholds and the risks of scores as csv."`
	ROC      string `name:"roc" placeholder:"FILE" help:"Write the points of the ROC curves as csv."`
	Assigned string `placeholder:"FILE" help:"Write score, group and risks of each object as csv."`
	Plot     string `placeholder:"FILE" help:"Draw the scores of the groups and the thresholds, as .png or .svg."`
	app.LongFlags
}

// optionsHelp explains the options that the demo has, too.
const optionsHelp = `A scale gives each object the score F, the sum of its features times their weights, and assigns
it to a group by thresholds between the values of F. The thresholds are those with the fewest errors, or the least cost.
They stand in the middle between different values, and every group has at least one object, whose weight is not 0
(unless --allow-empty).
A score equal to a threshold is of the lower group, and one on a bound of an uncertain zone is in the zone.
Values that differ by less than 2^-37 of the largest possible one count as equal.

--search exact finds the best value of one weight at a time: the number of errors changes only where the scores of two
objects cross, and an interval between crossings is evaluated unless those next to it show that it cannot be better.
This is certain only while the cost is at most that of assigning all objects of the smallest group wrongly. If one of
two groups has at most 64 objects and at most an eighth of all, the costs of all intervals follow from the crossings.
With --integer it tries all values of one weight, and of two weights where no single one helps. --search descent takes
steps along one weight at a time, as in the paper of Poluyanov. None of them is sure to find the best weights of all,
so there are several starts.

--time-limit ends the search after a time: the best scale so far is the result, and a note says that there may be a
better one. It is the time of the search, --cv and --bootstrap together; those of the latter two that do not end in
time are left out. With --checkpoint, the same command then goes on, and its time begins anew. Ctrl-C prints the
weights of the best scale so far and how to get its report.

--cost, the weights of objects and --uncertain change what is minimized: not the number of errors, but the sum of the
costs. --cost severe:healthy=5 is the cost of assigning a severe object to healthy, and --cost severe=5 that of
assigning it to any wrong group; of two that name the same mistake, the later one holds. --cv finds a scale without each
part of the objects in turn, and counts the errors among this part. The order of --unordered and the medians of
--missing are found for each part, too. With --evaluate, --cv and --bootstrap only find thresholds.`

// Help returns what skelgo scale run --help shows besides the flags.
func (*FindCommand) Help() string {
	return optionsHelp + `

The separator of the table is a semicolon, tab or comma, whichever the header has. Numbers are decimal. Empty fields,
NA, NaN, ? and . are missing values: --missing median puts the median in their place, group also gives them points of
their own, by a feature that is 1 where the value is missing, and drop leaves the object out. Without --group, the
column of words is that of the groups, or the column with the fewest different values. Without --order, groups that
are numbers ascend, and words ascend as they occur.

The risk of a score is the share of the objects of a group and above among those of the score. Neighbouring scores are
pooled where the share would not ascend (isotonic regression). If weights and features are whole numbers, every score
from the lowest to the highest one is listed, and otherwise ranges of scores of equal risk.

JSON: name, n, features, groups (in ascending order), weights, thresholds, zones (bounds of uncertain zones), cost,
errors, uncertain (objects), confusion (a row per group, a column per assigned one), undecided (uncertain objects per
group), measures (of each group), risks (of ranges of the score), scores (the risk of each), roc (the corners of each
group's curve), path (steps of the search), start, finished (false if --time-limit ended the search), cv_errors (the
mean over the repeats of --cv), cv and bootstrap (with the measures among other objects, and intervals of 95%),
evaluated (candidates), seed, device, seconds and total_seconds.`
}

// Run finds a scale for the file.
func (c *FindCommand) Run(ctx context.Context, env *app.Env) error {
	return app.Run(ctx, env, c.Flags, &job{options: &c.options, source: c})
}

func (c *FindCommand) file() string { return c.File }

// read reads the file.
func (c *FindCommand) read(ctx context.Context, r *app.Runner, j *job) error {
	j.name = c.File
	if c.File == "-" {
		j.name = "standard input"
	}
	t, err := readTable(ctx, c.File, r.Env.Stdin)
	if err != nil {
		return app.InputError(err)
	}
	d, err := t.choose(choice{
		Group: c.Group, Order: c.Order, Features: c.Features, Ignore: c.Ignore, Weights: c.Weights,
		Missing: Missing(c.Missing),
	})
	if err != nil {
		return app.InputError(err)
	}
	if c.Unordered {
		d.assumed = false
	}
	d.notes(r.Env, j.name)
	j.data = d
	return nil
}
