package sorting_test

import (
	"os"
	"testing"

	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/skel/skeltest/sorting"
)

func TestSkeletons(t *testing.T)         { sorting.Subjects.TestSkeletons(t) }
func TestSeveralProcessors(t *testing.T) { sorting.Subjects.TestSeveralProcessors(t) }
func TestSeveral(t *testing.T)           { sorting.Subjects.TestSeveral(t) }
func TestRanks(t *testing.T)             { sorting.Subjects.TestRanks(t) }
func TestPages(t *testing.T)             { sorting.Subjects.TestPages(t) }

func TestMain(m *testing.M) { os.Exit(devicestest.Main(m)) }
