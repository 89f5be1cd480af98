package opencl

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
)

// Kernels are worth keeping on disk even on PoCL, which has a cache of its own:
// that one is only looked at when the text has been preprocessed, and the
// prelude is long. One small kernel, two cores, PoCL 3.1:
//
//	                                  build       first launch
//	nothing cached                    900-1800 ms 150-240 ms
//	PoCL's cache                      22-80 ms    7-50 ms
//	a binary                          1.3-3 ms    5-40 ms
//	a binary, PoCL's cache emptied    7-20 ms     10-170 ms
//
// The kernel itself runs equally fast. Making the binary takes 100-200 ms more
// when nothing is cached, because PoCL then compiles for any work-group size.

// A binary begins with this and a checksum of the rest and of the device. PoCL
// ends the process when it is given one that was cut off.
const binaryMagic = "skelgo opencl 1\n"

var errBinary = errors.New("the binary is damaged, or was made for another device")

// seal puts the beginning before what OpenCL gave.
func (d *Device) seal(data []byte) []byte {
	return slices.Concat([]byte(binaryMagic), d.checksum(data), data)
}

// unseal takes the beginning off what seal has made, if it is intact.
func (d *Device) unseal(b []byte) ([]byte, error) {
	rest, ok := bytes.CutPrefix(b, []byte(binaryMagic))
	if !ok || len(rest) < sha256.Size {
		return nil, errBinary
	}
	sum, data := rest[:sha256.Size], rest[sha256.Size:]
	if len(data) == 0 || !bytes.Equal(sum, d.checksum(data)) {
		return nil, errBinary
	}
	return data, nil
}

func (d *Device) checksum(data []byte) []byte {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q %q\n", d.info.Platform, d.info.Name, d.info.Version, d.options)
	h.Write(data)
	return h.Sum(nil)
}

// Fingerprint stands for the prelude and the options.
func (d *Device) Fingerprint() string { return d.options + "\n" + prelude }

// Binary is what was built, for a later Build on a device of the same kind.
func (k *Kernel) Binary() ([]byte, error) {
	bins, err := k.prog.Binaries()
	if err != nil {
		return nil, fmt.Errorf("opencl: %w", err)
	}
	for _, data := range bins {
		if len(data) > 0 { // the program was built for one device only
			return k.dev.seal(data), nil
		}
	}
	return nil, fmt.Errorf("opencl: %s gives no binary of %s", k.dev.info.Platform, k.kernel.Name())
}
