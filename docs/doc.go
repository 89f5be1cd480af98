// Package docs holds the documents, and the tests that keep them true: the
// code they show is code that is compiled and run (include_test.go), links
// lead somewhere (links_test.go), and the house is laid out as they say
// (house_test.go).
//
// Start with tour.md, then kmeans.md and devices.md; adr/ holds the decisions.
package docs

//go:generate go test -count=1 -run ^TestIncludes$ . -update
