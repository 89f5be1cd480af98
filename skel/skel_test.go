package skel_test

import (
	"testing"

	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/skel/skeltest"
)

// TestSkeletons runs the suite of package skeltest on every device.
func TestSkeletons(t *testing.T) { devicestest.Each(t, skeltest.Run) }
