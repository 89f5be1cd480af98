package pairs_test

import (
	"os"
	"testing"

	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/skel/skeltest/pairs"
)

func TestSkeletons(t *testing.T)         { pairs.Subjects.TestSkeletons(t) }
func TestSeveralProcessors(t *testing.T) { pairs.Subjects.TestSeveralProcessors(t) }
func TestSeveral(t *testing.T)           { pairs.Subjects.TestSeveral(t) }
func TestRanks(t *testing.T)             { pairs.Subjects.TestRanks(t) }
func TestPages(t *testing.T)             { pairs.Subjects.TestPages(t) }

func TestMain(m *testing.M) { os.Exit(devicestest.Main(m)) }
