// Package plot draws the applications' plots and saves them as .png or .svg. It
// sets the style of gonum's plots, which files that need both import as gonum.
package plot
