// Package rng provides random numbers.
package rng
