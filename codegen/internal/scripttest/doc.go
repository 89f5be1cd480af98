// Package scripttest creates the module in which the scripts of skelgen and
// skelvet run.
package scripttest
