// Package figure is how the applications' plots look, and how they become
// files.
package plot
