package app

import (
	"context"
	"slices"
	"time"

	"github.com/skelgo/skelgo/apps/internal/checkpoint"
	"github.com/skelgo/skelgo/apps/internal/data"
	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/devices"
)

// Job is one run of a command. Run calls its methods in this order and stops at
// the first error.
type Job interface {
	// Check reports options that are wrong, before anything is read.
	Check() error
	// Read reads the inputs. Its time is the phase "read".
	Read(ctx context.Context, r *Runner) error
	// Compute computes on r.Devices. It starts the phases whose times make up
	// the job's seconds.
	Compute(ctx context.Context, r *Runner) error
	// Write adds the results to r.Files, which are written together. Its time
	// is the phase "write".
	Write(ctx context.Context, r *Runner) error
	// Report prints the result, with --json as one line of JSON.
	Report(r *Runner) error
}

// Runner holds what a job uses while it runs: its devices, files, phases and progress.
type Runner struct {
	Flags
	Env      *Env
	Devices  []*devices.Device // from --device; nil until Read returns
	Phases   Phases
	Progress *Progress
	Files    output.Set

	checkpoint *checkpoint.File
	deferred   []func()
}

// Defer makes Run call f when the job has ended, for example to free containers. The
// functions are called in reverse order.
func (r *Runner) Defer(f func()) { r.deferred = append(r.deferred, f) }

// Input is a table of numbers that ReadTable has read, or that is to be read while the devices compute.
type Input[T data.Number] struct {
	*data.Table[T]
	Source  *data.Array  // has the numbers if Data is nil, because they would be large in the devices' memory
	Skipped data.Skipped // the rows that were left out
}

// ReadTable reads the table in a file. If its numbers, as type D, are large compared with the memory of the
// devices, it returns only the shape and the source, which is read while the devices compute. If skipNonFinite
// is true, rows with NaN or infinities are left out. Notes about the file begin with name.
func ReadTable[T, D data.Number](r *Runner, name string, f *data.File, skipNonFinite bool) (t Input[T], err error) {
	if t.Source, err = stream[D](r, f); err != nil {
		return t, err
	}
	if a := t.Source; a != nil {
		t.Table = &data.Table[T]{Rows: a.Rows, Cols: a.Cols}
		return t, nil
	}
	if t.Table, err = data.Decode[T](f); err != nil {
		return t, InputError(err)
	}
	for _, note := range t.Notes {
		r.Env.Notef("%s: %s", name, note)
	}
	if skipNonFinite {
		t.Skipped = t.SkipNonFinite()
	}
	if n := len(t.Skipped); n > 0 {
		r.Env.Notef("%s: %s with NaN or infinities left out", name, Count(n, "row"))
	}
	return t, nil
}

// stream returns the array of rank 2 in a file, or nil if it is not large.
func stream[D data.Number](r *Runner, f *data.File) (*data.Array, error) {
	a, err := f.Array(2)
	if a == nil || err != nil {
		return nil, InputError(err)
	}
	r.Defer(func() { _ = a.Close() }) // it was only read
	devs, err := Devices(r.Device)    // r.Devices is not set yet
	if err != nil || !devices.Large(devs, data.Bytes[D](a)) {
		return nil, err
	}
	return a, nil
}

func (r *Runner) end() {
	for _, f := range slices.Backward(r.deferred) {
		f()
	}
	r.Files.Discard()
	r.Progress.Done()
}

// PhasePrepare is the name of a phase of Compute that does not count in the job's
// seconds, such as a first call that builds kernels.
const PhasePrepare = "prepare"

// The phases that Run times.
const (
	phaseRead   = "read"
	phaseDevice = "device"
	phaseWrite  = "write"
)

// Run runs a job: it checks, reads, opens the devices, computes, writes all
// files or none, and reports. With --verbose it also prints the phases.
func Run(ctx context.Context, env *Env, flags Flags, j Job) (err error) {
	if err := j.Check(); err != nil {
		return err
	}
	r := &Runner{Flags: flags, Env: env, Progress: NewProgress(env), Phases: Phases{Stats: flags.Verbose}}
	defer r.end()
	r.Phases.Start(phaseRead)
	if err := j.Read(ctx, r); err != nil {
		return err
	}
	r.Phases.Start(phaseDevice)
	if r.Devices, err = Devices(r.Device); err != nil {
		return err
	}
	r.Phases.Stop()
	if err := j.Compute(ctx, r); err != nil {
		return err
	}
	r.Phases.Start(phaseWrite)
	if err := j.Write(ctx, r); err != nil {
		return err
	}
	r.Progress.Done()
	if err := r.Files.Commit(); err != nil {
		return err
	}
	r.Phases.Stop()
	if r.Verbose {
		r.Phases.Fprint(env.Stderr)
	}
	if err := j.Report(r); err != nil {
		return err
	}
	return r.complete()
}

// Seconds holds the times that every result in JSON has. Embed it at the end of
// the struct of the result, which must also have the key device, and the key seed
// if the command has --seed.
type Seconds struct {
	Seconds float64 `json:"seconds"`       // of the phases of Compute, or of this result's share of them
	Total   float64 `json:"total_seconds"` // of all phases until the result is printed
}

// Seconds returns the times of the phases so far.
func (r *Runner) Seconds() Seconds {
	return Seconds{r.ComputeTime().Seconds(), r.Phases.total().Seconds()}
}

// ComputeTime returns the time of the phases that Compute started, without
// PhasePrepare.
func (r *Runner) ComputeTime() time.Duration {
	sum := r.Phases.total()
	for _, other := range []string{phaseRead, phaseDevice, PhasePrepare, phaseWrite} {
		sum -= r.Phases.Time(other)
	}
	return sum
}
