package app

import (
	"os"
	"slices"
	"strings"

	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/vector"
)

// Flags are the options that the commands of all applications have. A command
// embeds them.
type Flags struct {
	JSON    bool   `name:"json" help:"Print each result as one line of JSON."`
	Device  string `short:"d" placeholder:"DEVICE" help:"Device, such as cpu or cuda:0; skelgo devices lists them."`
	Verbose bool   `help:"Show time, launches and bytes by phase."`
}

// CheckFiles reports outputs that are also inputs or other outputs, outputs
// that cannot be written, and one to standard output if --json writes there.
func (f Flags) CheckFiles(inputs, outputs []output.Named) error {
	for _, out := range outputs {
		if f.JSON && out.Name == output.Stdout {
			return InputErrorf("--json and %s both write to standard output; name a file for one of them", out)
		}
	}
	if trace := os.Getenv("SKEL_TRACE"); trace != "" {
		outputs = append(outputs, output.Named{Option: "SKEL_TRACE", Name: trace})
	}
	return InputError(output.Check(inputs, outputs))
}

// Device returns the one device that spec, the value of --device, names, or the
// default device if spec is empty.
func Device(spec string) (*devices.Device, error) {
	if spec == "" {
		d, err := devices.Default()
		return d, InputError(err)
	}
	found, err := devices.Get(spec)
	switch {
	case err != nil:
		return nil, InputError(err)
	case len(found) > 1 && found[0].Joint() && found[0].Rank() == 0 && found[1].Rank() > 0:
		// -d cuda:0 names one device of each of the ranks that mpirun has started
	case len(found) > 1:
		return nil, InputErrorf("-d %s: it names %d devices, and this command runs on one", spec, len(found))
	}
	return found[0], nil
}

// Devices returns the devices that spec, the value of --device, names, or the
// program's default devices if spec is empty.
func Devices(spec string) ([]*devices.Device, error) {
	if spec == "" {
		devs, err := devices.Defaults()
		return devs, InputError(err)
	}
	devs, err := devices.Get(spec)
	return devs, InputError(err)
}

// Distribute returns the distribution of a container of the given size: over all
// devices if it is large enough for that to pay off (SKEL_SPLIT), otherwise the first; in pages if
// it is large compared with their memory.
func Distribute(devs []*devices.Device, bytes int64) vector.Distribution {
	if bytes < devices.SplitFrom(devs) {
		devs = devs[:1]
	}
	return vector.Block(devices.Roomy(devs, bytes)...)
}

// DeviceNames returns the names of the devices of a distribution:
// "cuda:0,cuda:1". Pages have the name of their device.
func DeviceNames(d vector.Distribution) string {
	var ids []string
	for _, dev := range Bases(d) {
		ids = append(ids, dev.ID())
	}
	return strings.Join(ids, ",")
}

// Bases returns the devices of a distribution, without its pages, but with the devices of these.
func Bases(d vector.Distribution) (devs []*devices.Device) {
	for _, dev := range d.Devices() {
		if base := dev.Base(); !slices.Contains(devs, base) {
			devs = append(devs, base)
		}
	}
	return devs
}
