package skel

import (
	"errors"

	"github.com/skelgo/skelgo/devices"
)

func (r *radixSort) chunked(d *devices.Device) error { return errors.ErrUnsupported }
