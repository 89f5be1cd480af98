package cuda

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
)

// binaryMagic begins a binary. A checksum of the rest and of the device follows
// because CUDA does not know the length of a cubin and reads past the end of a
// truncated one.
const binaryMagic = "skelgo cuda 1\n"

var errBinary = errors.New("the binary is damaged or was built for another device")

// Binary returns the cubin, for a later Build on a device of the same kind.
func (k *Kernel) Binary() ([]byte, error) { return k.dev.seal(k.image), nil }

// seal adds the header to a cubin.
func (d *Device) seal(image []byte) []byte {
	return slices.Concat([]byte(binaryMagic), d.checksum(image), image)
}

// unseal removes the header that seal added, and checks it.
func (d *Device) unseal(b []byte) ([]byte, error) {
	rest, ok := bytes.CutPrefix(b, []byte(binaryMagic))
	if !ok || len(rest) <= sha256.Size {
		return nil, errBinary
	}
	sum, image := rest[:sha256.Size], rest[sha256.Size:]
	if !bytes.Equal(sum, d.checksum(image)) {
		return nil, errBinary
	}
	return image, nil
}

func (d *Device) checksum(image []byte) []byte {
	h := sha256.New()
	fmt.Fprintf(h, "sm_%d %q\n", d.arch, d.options)
	h.Write(image)
	return h.Sum(nil)
}
