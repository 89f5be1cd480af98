package app

import (
	"fmt"
	"time"

	"github.com/skelgo/skelgo/apps/internal/checkpoint"
	"github.com/skelgo/skelgo/apps/internal/data/output"
)

// LongFlags are Flags for commands that may take long.
type LongFlags struct {
	Checkpoint      string        `placeholder:"FILE" help:"Save the state in FILE, and go on from FILE if it exists."`
	CheckpointEvery time.Duration `default:"1m" placeholder:"TIME" help:"How often to save it, such as 30s or 10m."`
	Flags
}

// CheckFiles is [Flags.CheckFiles] with the file of the checkpoint.
func (f LongFlags) CheckFiles(inputs, outputs []output.Named) error {
	switch {
	case f.Checkpoint == output.Stdout:
		return InputErrorf("--checkpoint -: the state must be in a file")
	case f.CheckpointEvery < 0:
		return InputErrorf("--checkpoint-every %v: it cannot be negative", f.CheckpointEvery)
	}
	return f.Flags.CheckFiles(inputs, append(outputs, output.Named{Option: "--checkpoint", Name: f.Checkpoint}))
}

// Checkpoint opens the checkpoint of a job, whose result depends on nothing but the facts. It
// is nil unless there is an option --checkpoint. Run removes the file when the result has
// been printed.
func (r *Runner) Checkpoint(
	f LongFlags, facts func() ([]checkpoint.Fact, error),
) (*checkpoint.File, error) {
	if f.Checkpoint == "" {
		return nil, nil
	}
	list, err := facts()
	if err != nil {
		return nil, err
	}
	c, err := checkpoint.Open(f.Checkpoint, f.CheckpointEvery, list)
	if err != nil {
		return nil, InputError(fmt.Errorf("--checkpoint: %w", err))
	}
	if !c.Saved.IsZero() {
		r.Env.Notef("going on from %s, saved at %s", f.Checkpoint, c.Saved.Local().Format(time.DateTime))
	}
	c.Failed = func(err error) { r.Env.Notef("--checkpoint: %v; the run goes on", err) }
	r.checkpoint = c
	return c, nil
}

// KeepCheckpoint makes Run leave the file of the checkpoint, because the job was stopped before its end.
func (r *Runner) KeepCheckpoint() { r.checkpoint = nil }

// complete removes the checkpoint once the result is where it should be.
func (r *Runner) complete() error {
	if r.checkpoint == nil {
		return nil
	}
	if err := r.Env.Flush(); err != nil {
		return fmt.Errorf("cannot write the result: %w", err)
	}
	return r.checkpoint.Remove()
}
