//go:build race

package elementwise

var otherElements []runner
