// Command skelgo runs the applications, measures and compares them, and lists the devices
// that they can run on.
package main

//go:generate go run ./genlicenses
