// Package heat computes how heat spreads on a plate, in small explicit steps, with
// a stencil. heat.go is the algorithm, cmd.go the command, picture.go what it
// draws.
package heat
