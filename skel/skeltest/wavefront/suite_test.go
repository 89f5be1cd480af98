package wavefront_test

import (
	"os"
	"testing"

	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/skel/skeltest/wavefront"
)

func TestSkeletons(t *testing.T)         { wavefront.Subjects.TestSkeletons(t) }
func TestSeveralProcessors(t *testing.T) { wavefront.Subjects.TestSeveralProcessors(t) }
func TestSeveral(t *testing.T)           { wavefront.Subjects.TestSeveral(t) }
func TestRanks(t *testing.T)             { wavefront.Subjects.TestRanks(t) }
func TestPages(t *testing.T)             { wavefront.Subjects.TestPages(t) }

func TestMain(m *testing.M) { os.Exit(devicestest.Main(m)) }
