package main

import "golang.org/x/tools/go/analysis/multichecker"

func main() { multichecker.Main(Analyzer) }
