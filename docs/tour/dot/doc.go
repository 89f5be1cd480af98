// Command dot is the first program of the README and of docs/tour.md: the dot
// product as Zip and Reduce. It is all in main.go.
package main
