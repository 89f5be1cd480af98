//go:build !race

package skel_test

const raceDetector = false
