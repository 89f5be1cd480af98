package devices

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Get returns the devices that a specification names, at least one:
//
//	cpu             the CPU
//	opencl:0        the first OpenCL device
//	opencl          the same
//	opencl:all      all OpenCL devices
//	cuda:0-3        four CUDA devices
//	cuda:0,opencl:0 one of each
//
// Get opens only the drivers that the specification names. If a device is
// missing, Get returns a *NotFoundError, which lists the available devices and
// explains why others are missing.
func Get(spec string) ([]*Device, error) {
	if err := settingsError(); err != nil {
		return nil, err
	}
	var devs []*Device
	for item := range strings.SplitSeq(spec, ",") {
		found, err := getItem(spec, strings.ToLower(strings.TrimSpace(item)))
		if err != nil {
			return nil, err
		}
		for _, d := range found {
			if slices.Contains(devs, d) {
				return nil, notFound(spec, "%s is named twice", d.id)
			}
			devs = append(devs, d)
		}
	}
	return devs, nil
}

// getItem returns the devices of one item of a specification.
func getItem(spec, item string) ([]*Device, error) {
	name, which, indexed := strings.Cut(item, ":")
	i := slices.IndexFunc(drivers(), func(k *kind) bool { return k.drv.Name() == name })
	if i < 0 {
		return nil, notFound(spec, "%q is not a kind of device (%s)", name, strings.Join(driverNames(), ", "))
	}
	k := drivers()[i]
	if !indexed {
		which = "0"
	}
	devs := k.open()
	lo, hi := 0, len(devs)-1
	if which != "all" {
		first, last, isRange := strings.Cut(which, "-")
		if !isRange {
			last = first
		}
		var err1, err2 error
		lo, err1 = strconv.Atoi(first)
		hi, err2 = strconv.Atoi(last)
		if err1 != nil || err2 != nil || lo < 0 || hi < lo {
			return nil, notFound(spec, "%q is not an index, a range or \"all\"; write %s:0, %s:0-3 or %s:all",
				which, name, name, name)
		}
	}
	switch {
	case len(devs) == 0:
		return nil, notFound(spec, "%s has no devices: %s", name, k.missing())
	case hi >= len(devs):
		return nil, notFound(spec, "%s has %d %s, the last is %s",
			name, len(devs), plural(len(devs), "device"), devs[len(devs)-1].id)
	}
	return devs[lo : hi+1], nil
}

func notFound(spec, reason string, args ...any) error {
	e := &NotFoundError{Spec: spec, Missing: Missing(), Reason: fmt.Sprintf(reason, args...)}
	for _, k := range drivers() {
		for _, d := range k.open() {
			e.Found = append(e.Found, d.id)
		}
	}
	return e
}

func driverNames() []string {
	var names []string
	for _, k := range drivers() {
		names = append(names, k.drv.Name())
	}
	return names
}

func plural(n int, s string) string {
	if n == 1 {
		return s
	}
	return s + "s"
}
