package mixtures

import (
	"context"

	"github.com/skelgo/skelgo/apps/internal/app"
)

// Command is skelgo mixtures.
type Command struct {
	Files   []string `arg:"" help:"Tables of numbers, also gzipped; - is standard input."`
	Format  string   `enum:"auto,csv,npy" default:"auto" help:"Format of the tables: ${enum}."`
	Columns []string `placeholder:"COL" help:"Use only these columns: names, numbers, or ranges such as 2-5."`
	Ignore  []string `placeholder:"COL" help:"Leave these columns out."`
	Long    bool     `help:"The tables have two columns: the name of a data set, and a value."`
	Rows    bool     `help:"Each row is a data set, instead of each column."`
	options
}

// options are the options that the demo has, too.
type options struct {
	Family     string   `default:"invgauss" placeholder:"NAME" help:"Family of distributions; default ${default}."`
	Components *string  `placeholder:"N" help:"Number of components, or a range; default 1-4."`
	Starts     *int     `placeholder:"N" help:"Number of starts, of which the best is kept; default 10."`
	Init       string   `default:"random" placeholder:"HOW" help:"Start: random, quantiles, kmeans, or a file."`
	Seed       uint64   `default:"1" help:"Seed of the random choices."`
	Tol        *float64 `placeholder:"T" help:"Stop when the log-likelihood rises by less than T of it; default 1e-10."`
	MaxIter    *int     `placeholder:"N" help:"Maximum number of iterations; default 1000."`
	OldMean    bool     `help:"Compute lambda or sigma around the mean of the iteration before."`
	Bootstrap  *int     `placeholder:"N" help:"Estimate standard errors from N samples of the fitted mixture."`
	All        bool     `help:"Print every number of components, not only the best by BIC."`
	Summary    bool     `help:"Print only the number of data sets and fits, and the time."`
	Output     string   `placeholder:"FILE" help:"Write the components as csv, one per line."`
	Posteriors string   `placeholder:"FILE" help:"Write the probabilities of the components of each value, as csv."`
	Plot       string   `placeholder:"FILE" help:"Draw histograms and densities, as .png or .svg."`

	Bulkem        bool     `help:"Take the options and print the results of the R package bulkem."`
	NumComponents *int     `name:"num.components" placeholder:"N" help:"With --bulkem: components; default 2."`
	MaxIters      *int     `name:"max.iters" placeholder:"N" help:"With --bulkem: maximum of iterations; default 100."`
	RandomInits   *int     `name:"random.inits" placeholder:"N" help:"With --bulkem: number of starts; default 1."`
	Epsilon       *float64 `placeholder:"E" help:"With --bulkem: least rise of the log-likelihood; default 1e-6."`
	app.LongFlags
}

// valueOr returns the value of an option, or its default if the command does not have it. Options
// that others exclude need the difference.
func valueOr[T any](option *T, otherwise T) T {
	if option == nil {
		return otherwise
	}
	return *option
}

// optionsHelp explains the options that the demo has, too.
const optionsHelp = `The number of components is the one with the least BIC among --components. Components that are
as narrow as the family allows are called degenerate, because their likelihood has no maximum; fits without any are
preferred. The limit is 1/1000 of the standard deviation of the data set (of the logarithms for lognormal and weibull),
or of exponential distributions a mean of 1e-6 of that of the data set. Poisson distributions have none.

--family is invgauss (mu, lambda), normal (mu, sigma), gamma (shape, rate), lognormal (mu, sigma), weibull (shape,
scale), exponential (rate) or poisson (lambda). --init random estimates each component from a few random values; with
quantiles and kmeans, starts after the first are random, too. A file has a line per component: weight and parameters,
and a header with their names or none.

--bootstrap 200 draws 200 samples from the best mixture of each data set, fits a mixture to each, and prints the
standard deviations of its parameters. --tol 0 iterates until the likelihood does not rise.`

// Help returns what skelgo mixtures --help shows besides the flags.
func (*Command) Help() string {
	return `Each column of a table is a data set, or each row with --rows. Empty fields, NA and NaN are left out, so
that data sets may have different lengths. A table with the columns set and value, or any two columns with --long, has a
line for each value instead. A .npy of rank 1 is one data set.

   skelgo mixtures bmi.txt --components 1-4 --starts 20 --plot bmi.png
   skelgo mixtures samples.csv --family gamma --components 2 --output fits.csv --json

` + optionsHelp + `

--bulkem fits inverse Gaussian distributions as the R package does: with the old mean, from random values, until the
log-likelihood rises by less than --epsilon. It prints a line of JSON per data set, with lambda, mu, alpha,
init_lambda, init_mu, init_alpha, loglik, num_iterations and fit_success.

JSON has a line for each data set: set (its name), n, family, components (their number), weights, the parameters by
name, such as mu and lambda, standard_errors (the same names), loglik, iterations, converged, degenerate (numbers of
components, from 1), aic, bic, icl, start (the number of the best one, from 0), seed, device, seconds and
total_seconds. --summary prints one line: sets, fits,
fits_per_second, family, seed, device, seconds and total_seconds.`
}

// Run fits mixtures to the data sets of the files.
func (c *Command) Run(ctx context.Context, env *app.Env) error {
	return app.Run(ctx, env, c.Flags, &job{options: &c.options, source: c})
}
