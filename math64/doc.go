// Package math64 has float64 functions with one result.
package math64
