package mpi

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/skelgo/skelgo/devices/driver"
)

// Found is the devices of one kind that a rank has, or why it has none.
type Found struct {
	Devices []driver.Device
	Missing string
	Err     error
}

// Kind is the devices of one kind of all ranks.
type Kind struct {
	Devices []driver.Device
	IDs     []string
	Owners  []int
	Missing []string // by rank: why it has no devices; "" if it has some
}

// offer is what a rank tells the others about its devices of one kind.
type offer struct {
	Missing string
	Devices []description
}

type description struct {
	Info            driver.Info
	Timed, Recorder bool
	Lends           bool // its memory can be used by other processes
	Identity        string
}

// Join joins the devices of a kind, such as "opencl", of all ranks. All ranks call it, for the
// same kinds in the same order. id returns the ID of a device among those of its rank.
func (w *World) Join(kind string, found Found, id func(i int) string) (*Kind, error) {
	mine := offer{Missing: found.Missing}
	if found.Err != nil && len(found.Devices) == 0 {
		mine.Missing = found.Err.Error()
	}
	for _, d := range found.Devices {
		x := description{Info: d.Info()}
		_, x.Timed = d.(driver.Timing)
		_, x.Recorder = d.(driver.Recorder)
		_, x.Lends = d.(driver.Lender)
		if i, ok := d.(driver.Identity); ok {
			x.Identity = i.Identity()
		}
		mine.Devices = append(mine.Devices, x)
	}
	offers, err := exchange(w, "devices of kind "+kind, mine)
	if err != nil {
		return nil, err
	}
	all := &Kind{}
	shares := w.divide(offers)
	for owner, o := range offers {
		why := o.Missing
		if len(o.Devices) > 0 {
			why = ""
		} else if why == "" {
			why = "no device found"
		}
		all.Missing = append(all.Missing, why)
		for i, number := range shares[owner] {
			x := o.Devices[number]
			d := &Device{
				world: w, id: fmt.Sprintf("%d/%s", owner, id(i)), owner: owner, info: x.Info, same: x.Identity,
				lends: x.Lends,
			}
			d.copied = "copy from " + d.id
			if owner == w.Rank() {
				d.local = found.Devices[number]
			}
			all.Devices = append(all.Devices, d.as(x))
			all.IDs = append(all.IDs, d.id)
			all.Owners = append(all.Owners, owner)
		}
	}
	return all, nil
}

// as returns the device with the optional abilities of the owner's.
func (d *Device) as(x description) driver.Device {
	switch {
	case x.Recorder:
		return recordingDevice{timedDevice{d}}
	case x.Timed:
		return timedDevice{d}
	}
	return d
}

// divide returns which of its devices each rank uses. Ranks of one machine that see the same
// accelerators divide them; processors are divided by the launcher, which binds ranks to cores.
func (w *World) divide(offers []offer) [][]int {
	shares := make([][]int, len(offers))
	for rank, o := range offers {
		var together []int // ranks of the same machine with the same devices
		for other, p := range offers {
			if w.machines[other] == w.machines[rank] && same(o.Devices, p.Devices) {
				together = append(together, other)
			}
		}
		place := 0
		for together[place] != rank {
			place++
		}
		var shared int // number of accelerators so far
		total := 0
		for _, d := range o.Devices {
			if d.Info.Kind != driver.CPU {
				total++
			}
		}
		lo, hi := place*total/len(together), (place+1)*total/len(together)
		if total < len(together) {
			hi = lo + 1
		}
		for i, d := range o.Devices {
			if d.Info.Kind == driver.CPU {
				shares[rank] = append(shares[rank], i)
				continue
			}
			if lo <= shared && shared < hi {
				shares[rank] = append(shares[rank], i)
			}
			shared++
		}
	}
	return shares
}

// same reports whether two ranks of a machine see the same devices.
func same(a, b []description) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Identity != b[i].Identity || a[i].Info.Name != b[i].Info.Name {
			return false
		}
	}
	return true
}

// exchange returns the values of all ranks.
func exchange[T any](w *World, what string, mine T) ([]T, error) {
	all := make([]T, w.Size())
	for root := range all {
		if w.played {
			all[root] = mine
			continue
		}
		var text []byte
		size := make([]byte, 8)
		if root == w.Rank() {
			var err error
			if text, err = json.Marshal(mine); err != nil {
				return nil, err
			}
			binary.LittleEndian.PutUint64(size, uint64(len(text)))
		}
		if err := w.Share(root, what, "", size, nil); err != nil {
			return nil, err
		}
		if root != w.Rank() {
			text = make([]byte, binary.LittleEndian.Uint64(size))
		}
		if err := w.Share(root, what, "", text, nil); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, &all[root]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Process is what a rank says of itself when it meets the others.
type Process struct {
	Host     string
	Program  string            // identifies the executable
	Settings map[string]string // environment variables that must be the same on all ranks
}

// Meet compares this rank with the others: all must run the same program with the same settings.
func (w *World) Meet(me Process) error {
	all, err := exchange(w, "start", me)
	if err != nil {
		return err
	}
	var errs []error
	for rank, p := range all {
		if p.Program != all[0].Program {
			errs = append(errs, fmt.Errorf("rank %d on %s runs another program than rank 0 on %s, or another build of "+
				"it", rank, p.Host, all[0].Host))
		}
		for name, value := range all[0].Settings {
			if p.Settings[name] != value {
				errs = append(errs, fmt.Errorf("rank %d on %s has %s=%q, rank 0 on %s has %q: pass it to all ranks "+
					"(with Open MPI: mpirun -x %s)", rank, p.Host, name, p.Settings[name], all[0].Host, value, name))
			}
		}
		if len(errs) > 0 {
			return errors.Join(errs...)
		}
		w.machines = append(w.machines, p.Host)
	}
	return nil
}

// Host returns a name of this machine.
func Host() string {
	name, err := os.Hostname()
	if err != nil {
		return "an unnamed machine"
	}
	return name
}
