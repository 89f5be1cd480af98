package sorting_test

import (
	"testing"

	"github.com/skelgo/skelgo/skel/skeltest/sorting"
)

func TestSkeletons(t *testing.T)         { sorting.Subjects.TestSkeletons(t) }
func TestSeveralProcessors(t *testing.T) { sorting.Subjects.TestSeveralProcessors(t) }
func TestSeveral(t *testing.T)           { sorting.Subjects.TestSeveral(t) }
