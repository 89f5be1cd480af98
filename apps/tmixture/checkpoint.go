package tmixture

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"fmt"
	"io"

	"github.com/skelgo/skelgo/apps/internal/checkpoint"
	"github.com/skelgo/skelgo/apps/internal/data"
	"github.com/skelgo/skelgo/devices"
)

// state is what a fit carries from one iteration to the next. A checkpoint has it before an iteration.
type state struct {
	Best    *Model // of the starts that have ended
	Start   int
	Current *stage // nil if the start has no parameters yet
}

// stage is where a start is.
type stage struct {
	Iterations int
	Moves      int       // of components that collapsed
	Collapsed  *collapse // the first of them

	// The iterations in progress.
	Theta         *parameters // the first ones; in a checkpoint, those of the next iteration
	Convergence   convergence
	Extrapolation extrapolation

	// The removal of components.
	Removing  bool
	Prior     bool // covariances have the prior
	Path      []Step
	Kept      *parameters // of the path: those with the best criterion
	Criterion float64     // of Kept
}

// begin makes theta the parameters of the next iteration, which knows of no earlier ones.
func (f *setting) begin(theta *parameters) {
	s := f.Current
	s.Theta, s.Convergence, s.Extrapolation = theta, f.convergence(), extrapolation{}
}

// save saves the state before an iteration with the parameters theta, if it is time.
func (f *setting) save(theta *parameters) {
	if f.o.checkpoint.Due() {
		f.Current.Theta = theta
		f.o.checkpoint.Save(&f.state)
	}
}

// encoded are parameters as encoding/gob has them, with whole covariance matrices.
type encoded struct {
	Dim    int
	Packed []float64
}

// GobEncode implements gob.GobEncoder.
func (theta *parameters) GobEncode() ([]byte, error) {
	dim := len(theta.means[0])
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(encoded{dim, theta.pack(dim, false)})
	return b.Bytes(), err
}

// GobDecode implements gob.GobDecoder.
func (theta *parameters) GobDecode(b []byte) error {
	var e encoded
	err := gob.NewDecoder(bytes.NewReader(b)).Decode(&e)
	if err == nil {
		*theta = *unpack(e.Packed, e.Dim, false)
	}
	return err
}

// facts returns what the result of a fit depends on.
func (j *job) facts() (facts []checkpoint.Fact, err error) {
	memory := devices.Bytes(j.table.Data)
	from, size := io.ReaderAt(bytes.NewReader(memory)), int64(len(memory))
	if j.array != nil {
		from, size = data.Elements[float64](j.array), data.Bytes[float64](j.array)
	}
	numbers, err := checkpoint.DigestAt(from, size)
	if err != nil {
		return nil, err
	}
	c := j.options
	first := cmp.Or(c.Init, string(PlusPlus))
	if j.fit.Labels != nil {
		first = checkpoint.Digest(j.fit.Labels)
	}
	return checkpoint.Facts(
		"the command", "tmixture",
		"the data", fmt.Sprintf("%d x %d: %s", j.table.Rows, j.table.Cols, numbers),
		"--components", c.Components, "--max-components", c.MaxComponents, "--min-components", c.MinComponents,
		"--first-worse", c.FirstWorse, "--penalty", c.Penalty, "--no-prior", c.NoPrior,
		"--covariance", c.Covariance, "--reg", c.Reg, "--denominator", c.Denominator, "--df", c.DF,
		"--init", first, "--n-init", c.NInit, "--seed", c.Seed, "--tol", c.Tol, "--max-iter", c.MaxIter,
		"--precision", c.Precision,
	), nil
}
