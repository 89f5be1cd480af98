package app

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/skelgo/skelgo/apps/internal/data/output"
)

// grace is how long Interruptible waits for an interrupted command to return.
const grace = 50 * time.Millisecond

// Interruptible runs a command until it returns or the program is interrupted: by
// Ctrl-C, by SIGTERM, or because the terminal was closed.
//
// On an interrupt, Interruptible cancels the context, removes unfinished files, and
// returns context.Canceled within a twentieth of a second. The command may still be
// running, because a kernel, a build or a read from a pipe cannot be stopped, so the
// program should exit at once; what the command writes from then on is lost. A second
// Ctrl-C ends the program immediately.
func (e *Env) Interruptible(command func(context.Context) error) error {
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as it is under nohup
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	defer stop()
	context.AfterFunc(ctx, stop)
	done := make(chan struct{})
	var err error
	go func() {
		err = command(ctx)
		close(done) // not deferred: a panic must end the program
	}()
	select {
	case <-done:
		if ctx.Err() == nil {
			return err
		}
	case <-ctx.Done():
		select {
		case <-done:
		case <-time.After(grace):
		}
	}
	output.Abandon()
	e.line.close(e, "skelgo: interrupted\n")
	return context.Canceled
}
