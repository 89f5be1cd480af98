// Command dot computes a dot product with Zip and Reduce. It is the first
// program of the README and of docs/tour.md. All of its code is in main.go.
package main
