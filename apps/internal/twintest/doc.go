// Package twintest has what the tests of the raw twins share.
package twintest
