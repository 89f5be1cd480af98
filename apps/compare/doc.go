// Package compare is the command skelgo compare: it shows each application
// beside its hand-written OpenCL versions, by lines of code and by run time.
//
// The lines are those of docs/loc.md, counted when the program was built. The
// times are measured now, by phase: init opens the device; build compiles, and
// is how much longer the first run takes than later ones, because devices
// compile late; transfer moves data to and from the device; kernel is a run on
// data that is on the device; host is what a version computes on the host
// meanwhile. The results are compared before anything is printed. On a machine
// without OpenCL only skelgo's version is measured.
//
// Start with cmd.go. The versions come from the applications: see
// baseline.Comparison.
package compare

//go:generate go run ./genlines
