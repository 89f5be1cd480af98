package elementwise_test

import (
	"testing"

	"github.com/skelgo/skelgo/skel/skeltest/elementwise"
)

func TestSkeletons(t *testing.T)         { elementwise.Subjects.TestSkeletons(t) }
func TestSeveralProcessors(t *testing.T) { elementwise.Subjects.TestSeveralProcessors(t) }
func TestSeveral(t *testing.T)           { elementwise.Subjects.TestSeveral(t) }
