package reduce_test

import (
	"testing"

	"github.com/skelgo/skelgo/skel/skeltest/reduce"
)

func TestSkeletons(t *testing.T)         { reduce.Subjects.TestSkeletons(t) }
func TestSeveralProcessors(t *testing.T) { reduce.Subjects.TestSeveralProcessors(t) }
func TestSeveral(t *testing.T)           { reduce.Subjects.TestSeveral(t) }
