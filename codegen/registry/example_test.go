package registry_test

import (
	"fmt"

	"github.com/skelgo/skelgo/codegen/registry"
)

func twice(x float32) float32 { return x + x }

// The example does what a generated file does in init, and what package skel
// does later.
func Example() {
	registry.Add(registry.Func{
		Name: "example.twice", Type: "func(float32) float32", Go: twice, Pos: "example.go:3:6", Hash: "1f0c",
		IR: "AQABAAANZXhhbXBsZV90d2ljZQANZXhhbXBsZS50d2ljZQ4ACmV4YW1wbGUuZ28BAQAAAXgKCgEBCggCAQACAQAJAAAADgMlAAAFAAA",
	})
	f, err := registry.Of(twice)
	fmt.Println(f.Ident, err)
	// Output: example_twice <nil>
}
