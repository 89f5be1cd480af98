// Package lower translates Go functions to ir. It defines the subset:
// everything that cannot be translated is refused by a rule in rules.go, and
// docs/subset.md is generated from that table.
//
// Start with lower.go (the interface), then func.go, stmt.go and expr.go.
package lower

//go:generate go test -count=1 -run ^TestSubsetIsUpToDate$ . -update
