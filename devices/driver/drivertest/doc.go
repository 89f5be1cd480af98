// Package drivertest helps to test drivers and the packages above them.
//
// Run is the conformance suite: a driver that passes it can be registered. Fake
// is a driver that records every call and fails the calls it is told to fail.
// FailEach makes every call of a piece of work fail in turn.
package drivertest
