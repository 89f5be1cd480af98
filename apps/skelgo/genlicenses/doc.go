// Command genlicenses writes licenses.txt, the licences of all modules that skelgo links on Linux, macOS and
// Windows. It runs in the folder of skelgo, by go generate.
package main
