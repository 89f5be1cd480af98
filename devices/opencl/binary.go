package opencl

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"slices"
)

// PoCL has its own cache of compiled kernels, and its binaries are not worth
// caching in addition: to create one, PoCL compiles the kernel again for
// work-groups of any size, which takes longer than the compilation that is
// needed. Processor time of the ten kernels of `skelgo demo kmeans` with PoCL
// 3.1:
//
//	                      first run   later runs
//	PoCL's cache          3.1 s       0.15 s
//	and binaries          5.6 s       0.07 s

// binaryMagic begins a binary. A checksum of the rest and of the device follows
// because PoCL crashes on a truncated binary.
const binaryMagic = "skelgo opencl 1\n"

var errBinary = errors.New("the binary is damaged or was built for another device")

// seal adds the header to a binary from OpenCL.
func (d *Device) seal(data []byte) []byte {
	return slices.Concat([]byte(binaryMagic), d.checksum(data), data)
}

// unseal removes the header that seal added, and checks it.
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

// Fingerprint identifies the prelude and the options. It is "" on PoCL unless
// POCL_KERNEL_CACHE=0 turns off PoCL's own cache.
func (d *Device) Fingerprint() string {
	if d.isPocl() && os.Getenv("POCL_KERNEL_CACHE") != "0" {
		return ""
	}
	return d.options + "\n" + prelude
}

// Binary returns the built program, for a later Build on a device of the same
// kind.
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
	return nil, fmt.Errorf("opencl: %s returned no binary for %s", k.dev.info.Platform, k.kernel.Name())
}
