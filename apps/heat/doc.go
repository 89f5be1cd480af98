// Package heat simulates how heat spreads on a plate, in small explicit steps,
// with a stencil. heat.go is the algorithm and cmd.go the command.
package heat
