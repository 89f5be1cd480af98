package cuda

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
)

// A binary begins with this and a checksum of the rest and of the device: CUDA
// is not told how long a cubin is, and reads on where one was cut off.
const binaryMagic = "skelgo cuda 1\n"

var errBinary = errors.New("the binary is damaged, or was made for another device")

// Binary is the cubin, for a later Build on a device of the same kind.
func (k *Kernel) Binary() ([]byte, error) { return k.dev.seal(k.image), nil }

// seal puts the beginning before a cubin.
func (d *Device) seal(image []byte) []byte {
	return slices.Concat([]byte(binaryMagic), d.checksum(image), image)
}

// unseal takes the beginning off what seal has made, if it is intact.
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
