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
	if _, err := world(); err != nil {
		return nil, err
	}
	var devs []*Device
	every := false // an item is for every rank
	for item := range strings.SplitSeq(spec, ",") {
		found, all, err := getItem(spec, strings.ToLower(strings.TrimSpace(item)))
		if err != nil {
			return nil, err
		}
		for _, d := range found {
			if slices.Contains(devs, d) {
				return nil, notFound(spec, "%s is named twice", d.id)
			}
			devs = append(devs, d)
		}
		every = every || all
	}
	if every {
		slices.SortStableFunc(devs, func(a, b *Device) int { return a.Rank() - b.Rank() })
	}
	return devs, nil
}

// getItem returns the devices of one item of a specification, and whether it names some of
// every rank.
func getItem(spec, item string) (devs []*Device, every bool, err error) {
	rank, of, ranked := strings.Cut(item, "/")
	if !ranked {
		of = item
	}
	name, which, indexed := strings.Cut(of, ":")
	i := slices.IndexFunc(drivers(), func(k *kind) bool { return k.drv.Name() == name })
	if i < 0 {
		return nil, false, notFound(spec, "%q is not a kind of device (%s)", name, strings.Join(driverNames(), ", "))
	}
	k := drivers()[i]
	if !indexed {
		which = "0"
	}
	lo, hi, ok := indices(which)
	if !ok {
		return nil, false, notFound(spec, "%q is not an index, a range or \"all\"; write %s:0, %s:0-3 or %s:all",
			which, name, name, name)
	}
	k.open()
	if k.err != nil && len(k.byRank) == 0 {
		return nil, false, notFound(spec, "%s has no devices: %s", name, k.missing())
	}
	for r, own := range k.byRank {
		if ranked && rank != strconv.Itoa(r) {
			continue
		}
		found, reason := k.choose(r, own, lo, hi)
		if reason != "" {
			return nil, false, notFound(spec, "%s", reason)
		}
		devs = append(devs, found...)
	}
	if ranked && devs == nil {
		return nil, false, notFound(spec, "there is no rank %s: there %s", rank, are(len(k.byRank), "rank"))
	}
	return devs, !ranked, nil
}

// indices returns the first and the last index that an item names; hi is -1 for "all".
func indices(which string) (lo, hi int, ok bool) {
	if which == "all" {
		return 0, -1, true
	}
	first, last, isRange := strings.Cut(which, "-")
	if !isRange {
		last = first
	}
	lo, err1 := strconv.Atoi(first)
	hi, err2 := strconv.Atoi(last)
	return lo, hi, err1 == nil && err2 == nil && lo >= 0 && hi >= lo
}

// choose returns devices lo to hi of those of a rank, or the reason why it cannot.
func (k *kind) choose(rank int, devs []*Device, lo, hi int) (chosen []*Device, reason string) {
	who := k.drv.Name()
	if len(k.byRank) > 1 {
		who = fmt.Sprintf("rank %d: %s", rank, who)
	}
	switch {
	case len(devs) == 0 && k.absent != nil:
		return nil, fmt.Sprintf("%s has no devices: %s", who, k.absent[rank])
	case len(devs) == 0:
		return nil, fmt.Sprintf("%s has no devices: %s", who, k.missing())
	case hi >= len(devs):
		return nil, fmt.Sprintf("%s has %d %s, the last is %s",
			who, len(devs), plural(len(devs), "device"), devs[len(devs)-1].id)
	case hi < 0:
		hi = len(devs) - 1
	}
	return devs[lo : hi+1], ""
}

// are returns "is 1 rank" or "are 2 ranks".
func are(n int, s string) string {
	if n == 1 {
		return "is 1 " + s
	}
	return fmt.Sprintf("are %d %ss", n, s)
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
