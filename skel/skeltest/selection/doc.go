// Package selection tests Filter, Unique and the other skeletons whose results have a
// length that the device computes. It is a part of the suite of package skeltest; package
// kit has what its parts share.
package selection

import "github.com/skelgo/skelgo/skel/skeltest/kit"

//go:generate go tool skelgen

// Subjects lists the subjects in an order in which each builds on those before.
var Subjects = kit.Subjects{
	{Name: "Select", Test: testSelect, Over: true},
	{Name: "SelectLoop", Test: testSelectLoop},
	{Name: "SelectUse", Test: testSelectUse, Over: true},
}
