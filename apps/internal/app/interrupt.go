package app

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/skelgo/skelgo/apps/internal/data/output"
)

// grace is how long an interrupted command may take to end by itself.
const grace = 50 * time.Millisecond

// Interruptible runs a command until it is done or the program is interrupted:
// by Ctrl-C, by SIGTERM, or because the terminal is gone. Then the context
// ends, and the result is context.Canceled, at the latest after a twentieth of a
// second: a command cannot be stopped in the middle of a kernel, of a build or
// of a read from a pipe. The program should exit at once, since the command may
// still be running. What it writes from then on is lost, and its unfinished
// files are removed. A second Ctrl-C ends the program immediately.
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
