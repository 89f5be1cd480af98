package reduce_test

import (
	"os"
	"testing"

	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/skel/skeltest/reduce"
)

func TestSkeletons(t *testing.T)         { reduce.Subjects.TestSkeletons(t) }
func TestSeveralProcessors(t *testing.T) { reduce.Subjects.TestSeveralProcessors(t) }
func TestSeveral(t *testing.T)           { reduce.Subjects.TestSeveral(t) }
func TestRanks(t *testing.T)             { reduce.Subjects.TestRanks(t) }
func TestPages(t *testing.T)             { reduce.Subjects.TestPages(t) }

func TestMain(m *testing.M) { os.Exit(devicestest.Main(m)) }
