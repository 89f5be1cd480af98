// Package drivertest holds what a driver is tested with, and what the layers
// above drivers are tested with.
//
// Run is the conformance suite: a driver that passes it can be registered.
// Fake is a driver that records every call and fails the one it is told to;
// FailEach makes every call of a piece of work fail in turn.
package drivertest
