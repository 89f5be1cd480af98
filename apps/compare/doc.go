// Package compare is the command skelgo compare: it compares each application with its
// hand-written OpenCL versions, by lines of code and by run time.
//
// The lines of code are those of docs/loc.md. The times are measured by phase: init opens
// the device; build compiles, and includes what the first run takes longer than later
// ones, because devices compile late; transfer moves data to and from the device; kernel
// is a run on data that is on the device; host is what a version computes on the host.
// The results of the versions are checked against each other. On a machine without
// OpenCL only skelgo's version is measured.
//
// Start with cmd.go. The versions come from the applications: see
// baseline.Comparison.
package compare

//go:generate go run ./genlines
