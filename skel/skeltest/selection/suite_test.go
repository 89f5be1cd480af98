package selection_test

import (
	"testing"

	"github.com/skelgo/skelgo/skel/skeltest/selection"
)

func TestSkeletons(t *testing.T)         { selection.Subjects.TestSkeletons(t) }
func TestSeveralProcessors(t *testing.T) { selection.Subjects.TestSeveralProcessors(t) }
func TestSeveral(t *testing.T)           { selection.Subjects.TestSeveral(t) }
