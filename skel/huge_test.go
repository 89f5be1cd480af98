package skel_test

import (
	"testing"

	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/skel/skeltest"
)

// TestHuge runs every skeleton on more than 2^32 elements.
func TestHuge(t *testing.T) { devicestest.Each(t, skeltest.Huge) }
