package devices

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/skelgo/skelgo/devices/cpu"
	"github.com/skelgo/skelgo/devices/cuda"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/mpi"
	"github.com/skelgo/skelgo/devices/opencl"
)

// known holds the drivers in order of preference, the CPU last. Each driver is
// opened once, when it is first needed.
var known = []*kind{{drv: cuda.Driver{}}, {drv: opencl.Driver{}}, {drv: cpu.Driver{}}}

// kind holds a driver and its devices.
type kind struct {
	drv  driver.Driver
	once sync.Once
	devs []*Device
	err  error

	byRank [][]*Device // devs of each rank; one element if this process is alone
	absent []string    // why a rank has none; nil if this process is alone
}

var registry struct {
	mu     sync.Mutex
	chosen *Device   // group[0], set by SetDefault or SetDefaults
	group  []*Device // set by SetDefaults
	own    []*Device // the only devices during PerRank; nil outside it
	auto   *Device   // autos[0]
	autos  []*Device // the devices that Default found last,
	spec   string    // for this value of SKEL_DEVICE
}

// Register adds a driver. Its devices come after those of the drivers
// registered before it, and before the CPU. It panics if a driver of that name
// is registered.
func Register(drv driver.Driver) {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	for _, k := range known {
		if k.drv.Name() == drv.Name() {
			panic("skelgo: devices.Register: driver " + drv.Name() + " is already registered")
		}
	}
	last := len(known) - 1
	known = slices.Concat(known[:last], []*kind{{drv: drv}}, known[last:])
}

func drivers() []*kind {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	return known
}

// open returns the devices of the driver.
func (k *kind) open() []*Device {
	k.once.Do(func() {
		w, err := world()
		if err != nil {
			k.err = err
			return
		}
		found := mpi.Found{}
		found.Devices, found.Err = k.drv.Devices()
		k.err = found.Err
		if w != nil {
			found.Missing = k.drv.Missing()
			k.err = k.join(w, found)
			return
		}
		for i, dev := range found.Devices {
			k.devs = append(k.devs, Wrap(k.id(i), dev))
		}
		k.byRank = [][]*Device{k.devs}
	})
	return k.devs
}

// id returns the ID of a device of a rank.
func (k *kind) id(i int) string {
	if k.drv.Name() == "cpu" {
		return "cpu"
	}
	return fmt.Sprintf("%s:%d", k.drv.Name(), i)
}

// join makes devices of those of all ranks.
func (k *kind) join(w *mpi.World, found mpi.Found) error {
	all, err := w.Join(k.drv.Name(), found, k.id)
	if err != nil {
		return err
	}
	k.byRank = make([][]*Device, w.Size())
	for i, dev := range all.Devices {
		d, rank := Wrap(all.IDs[i], dev), all.Owners[i]
		k.devs = append(k.devs, d)
		k.byRank[rank] = append(k.byRank[rank], d)
	}
	k.absent = all.Missing
	return nil
}

// missing returns the reason why the driver has no devices, or "" if it has
// some.
func (k *kind) missing() string {
	switch {
	case len(k.open()) > 0:
		return ""
	case k.err != nil:
		return k.err.Error()
	case k.absent != nil: // the same text on all ranks
		return k.absent[0]
	case k.drv.Missing() != "":
		return k.drv.Missing()
	}
	return "no device found"
}

// List opens and returns all devices in order of preference: CUDA, OpenCL, CPU.
// A device that cannot be opened is not an error; Missing reports it.
func List() ([]*Device, error) {
	if err := settingsError(); err != nil {
		return nil, err
	}
	if _, err := world(); err != nil {
		return nil, err
	}
	var all []*Device
	for _, k := range drivers() {
		all = append(all, k.open()...)
	}
	return all, nil
}

// Missing returns why kinds of devices are missing, keyed by the names of their
// drivers. Kinds that have devices have no entry.
func Missing() map[string]string {
	m := map[string]string{}
	for _, k := range drivers() {
		if why := k.missing(); why != "" {
			m[k.drv.Name()] = why
		}
	}
	return m
}

// Default returns the device that containers use by default: the one that
// SetDefault or SKEL_DEVICE names (the first one, if there are several), or the
// first CUDA device, or the first OpenCL GPU, or the CPU. If the device that
// SKEL_DEVICE names is missing, Default returns an error.
func Default() (*Device, error) {
	spec := os.Getenv("SKEL_DEVICE")
	registry.mu.Lock()
	d, own := registry.chosen, registry.own
	if d == nil && registry.spec == spec {
		d = registry.auto
	}
	registry.mu.Unlock()
	if own != nil {
		if len(own) == 0 {
			return nil, errors.New("devices: this rank has none of the devices with which PerRank was called")
		}
		return own[0], nil
	}
	if d != nil {
		return d, nil
	}
	devs, err := findDefault(spec)
	if err != nil {
		return nil, err
	}
	registry.mu.Lock()
	defer registry.mu.Unlock()
	registry.auto, registry.autos, registry.spec = devs[0], devs, spec
	return devs[0], nil
}

func findDefault(spec string) ([]*Device, error) {
	if err := settingsError(); err != nil {
		return nil, err
	}
	if spec != "" {
		devs, err := Get(spec)
		if err != nil {
			return nil, fmt.Errorf("SKEL_DEVICE: %w", err)
		}
		return devs, nil
	}
	var chosen []*Device // of each rank
	for _, k := range drivers() {
		switch k.drv.Name() {
		case "cuda", "opencl", "cpu":
		default:
			continue // registered by the program, and used only on request
		}
		k.open()
		if k.byRank == nil && k.err != nil {
			return nil, k.err
		}
		if chosen == nil {
			chosen = make([]*Device, max(1, len(k.byRank)))
		}
		for rank, devs := range k.byRank {
			for _, d := range devs {
				if chosen[rank] == nil && (d.info.Kind != driver.CPU || k.drv.Name() == "cpu") {
					chosen[rank] = d
				}
			}
		}
		if !slices.Contains(chosen, nil) {
			return chosen, nil
		}
	}
	return nil, notFound("default", "no driver found a device")
}

// SetDefault makes d the only default device; nil restores the automatic
// choice.
func SetDefault(d *Device) {
	if d == nil {
		SetDefaults()
		return
	}
	SetDefaults(d)
}
