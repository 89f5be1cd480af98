// Command figures measures what docs/performance.md tells, each thing and its
// yardstick in turn in one process, and prints the tables.
//
//	go run ./apps/bench/figures -elements 67108864 -rounds 15
//	go run ./apps/bench/figures -kmeans 494020 -rounds 9
package main
