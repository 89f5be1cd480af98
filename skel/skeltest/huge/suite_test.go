package huge_test

import (
	"testing"

	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/skel/skeltest/huge"
)

func TestHuge(t *testing.T) { devicestest.Each(t, huge.Run) }
