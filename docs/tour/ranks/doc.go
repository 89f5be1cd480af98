// Command ranks sums squares on the devices of all processes that mpirun has started, or of
// this one. It is the program of docs/ranks.md. All of its code is in main.go.
package main
