// Package scripttest lays out the module that the scripts of skelgen and
// skelvet work in.
package scripttest
