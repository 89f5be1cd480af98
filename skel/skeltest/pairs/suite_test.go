package pairs_test

import (
	"testing"

	"github.com/skelgo/skelgo/skel/skeltest/pairs"
)

func TestSkeletons(t *testing.T)         { pairs.Subjects.TestSkeletons(t) }
func TestSeveralProcessors(t *testing.T) { pairs.Subjects.TestSeveralProcessors(t) }
func TestSeveral(t *testing.T)           { pairs.Subjects.TestSeveral(t) }
