// Package checkpointtest interrupts computations that have checkpoints, for tests. A test starts a
// computation again and again, each time from the checkpoint that the run before has left, and compares
// the result with that of a run that was not interrupted.
//
// Start with interrupt.go.
package checkpointtest
