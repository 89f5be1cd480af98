// Package plot draws plots in one style and saves them as .png or .svg. Files that also
// import gonum.org/v1/plot call that package gonum.
package plot
