// Package compare is the command `skelgo compare`: each application beside
// its twins that are written directly on OpenCL, by lines of code and by run
// time.
//
// The lines are those of docs/loc.md, counted when the program was made. The
// times are measured now, each phase by the clock: init opens the device,
// build compiles (and is what the first run takes longer than later ones,
// because devices compile late), transfer moves data to and from the device,
// kernel is a run on data that are there, and host what a twin computes on the
// host meanwhile. Before anything is printed the results are compared. On a
// machine without OpenCL skelgo's side is measured alone.
//
// Start with cmd.go; program.go measures, apps.go, kmeans.go and nw.go have the programs.
package compare

//go:generate go run ./genlines
