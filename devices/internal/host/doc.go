// Package host allocates large pieces of the host's memory.
package host
