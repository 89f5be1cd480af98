package elementwise_test

import (
	"os"
	"testing"

	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/skel/skeltest/elementwise"
)

func TestSkeletons(t *testing.T)         { elementwise.Subjects.TestSkeletons(t) }
func TestSeveralProcessors(t *testing.T) { elementwise.Subjects.TestSeveralProcessors(t) }
func TestSeveral(t *testing.T)           { elementwise.Subjects.TestSeveral(t) }
func TestRanks(t *testing.T)             { elementwise.Subjects.TestRanks(t) }
func TestPages(t *testing.T)             { elementwise.Subjects.TestPages(t) }

func TestMain(m *testing.M) { os.Exit(devicestest.Main(m)) }
