// Skelvet reports user functions that cannot run on a device, and generated
// files that are out of date, with the messages of skelgen.
//
//	go tool skelvet ./...
//	go vet -vettool=$(go tool -n skelvet) ./...
package main

import "golang.org/x/tools/go/analysis/multichecker"

func main() { multichecker.Main(Analyzer) }
