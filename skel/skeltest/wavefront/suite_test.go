package wavefront_test

import (
	"testing"

	"github.com/skelgo/skelgo/skel/skeltest/wavefront"
)

func TestSkeletons(t *testing.T)         { wavefront.Subjects.TestSkeletons(t) }
func TestSeveralProcessors(t *testing.T) { wavefront.Subjects.TestSeveralProcessors(t) }
func TestSeveral(t *testing.T)           { wavefront.Subjects.TestSeveral(t) }
