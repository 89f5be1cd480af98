// Package wavefront tests Wavefront. It is a part of the suite of package skeltest; package
// kit has what its parts share.
package wavefront

import "github.com/skelgo/skelgo/skel/skeltest/kit"

//go:generate go tool skelgen

// Subjects lists the subjects in an order in which each builds on those before.
var Subjects = kit.Subjects{
	{Name: "Wavefront", Test: testWavefront, Over: true},
}
