// Package huge tests every skeleton on more than 2^32 elements. It is a part of the suite of
// package skeltest.
package huge

//go:generate go tool skelgen
