package selection_test

import (
	"os"
	"testing"

	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/skel/skeltest/selection"
)

func TestSkeletons(t *testing.T)         { selection.Subjects.TestSkeletons(t) }
func TestSeveralProcessors(t *testing.T) { selection.Subjects.TestSeveralProcessors(t) }
func TestSeveral(t *testing.T)           { selection.Subjects.TestSeveral(t) }
func TestRanks(t *testing.T)             { selection.Subjects.TestRanks(t) }
func TestPages(t *testing.T)             { selection.Subjects.TestPages(t) }

func TestMain(m *testing.M) { os.Exit(devicestest.Main(m)) }
