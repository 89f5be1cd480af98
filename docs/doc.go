// Package docs holds the documents and the tests that keep them correct. The
// code that documents show is compiled and run (include_test.go), links have
// targets (links_test.go), the first section of the tour works in an empty
// folder (walk_test.go), and packages follow the rules that no linter checks
// (house_test.go).
//
// Start with tour.md, then sort-select-search.md, kmeans.md, pca.md, tmixture.md, spikes.md, grid.md,
// grid-frequency.md, scale.md, mixtures.md and devices.md; adr/ holds the decisions.
package docs

//go:generate go test -count=1 -run ^TestIncludes$ . -update
