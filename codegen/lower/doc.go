// Package lower translates Go functions to ir. It owns the definition of the
// subset: what cannot be translated is refused with a rule of rules.go, and
// docs/subset.md is written from that table.
//
// Start with lower.go (the interface), then func.go, stmt.go and expr.go.
package lower

//go:generate go test -count=1 -run ^TestSubsetIsUpToDate$ . -update
