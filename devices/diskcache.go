package devices

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/skelgo/skelgo/devices/driver"
)

// cacheLimit is the maximum size of the cache on disk in bytes; tests reduce
// it.
var cacheLimit int64 = 256 << 20

const (
	cacheMagic  = "skelgo kernel 1\n" // the start of every file; changes with the format
	cacheSuffix = ".kernel"
	tempSuffix  = ".tmp"
	tempAge     = time.Hour // temporary files older than this were left by programs that died
)

// A cacheFile is the name of the file that caches a kernel; "" means that it is
// not cached. The file holds cacheMagic, the SHA-256 of the rest, and the
// kernel as the driver returned it. The cache never fails: a kernel that cannot
// be read is built, and one that cannot be written is built again next time.
type cacheFile string

// cacheDir returns the directory of cached kernels, or "" if kernels are not
// cached. Get, List and Default report an invalid setting.
func cacheDir() string {
	dir, _ := cacheSetting()
	return dir
}

// cacheFile returns the name of the file for a program on this device. The name
// depends on everything that determines the driver's output.
func (d *Device) cacheFile(p *driver.Program) cacheFile {
	fingerprint, dir := "", cacheDir()
	if f, ok := d.dev.(driver.Fingerprint); ok {
		fingerprint = f.Fingerprint()
	}
	if fingerprint == "" || dir == "" {
		return ""
	}
	h := sha256.New()
	for _, s := range []string{d.info.Name, d.info.Platform, d.info.Version, fingerprint, p.Name, p.C} {
		fmt.Fprintf(h, "%d %s\n", len(s), s)
	}
	fmt.Fprint(h, p.Checked)
	return cacheFile(filepath.Join(dir, hex.EncodeToString(h.Sum(nil))+cacheSuffix))
}

// load returns the kernel, or nil if there is no valid file. It marks the file
// as recently used.
func (f cacheFile) load() []byte {
	if f == "" {
		return nil
	}
	data, err := os.ReadFile(string(f))
	if err != nil {
		return nil
	}
	sum, ok := bytes.CutPrefix(data, []byte(cacheMagic))
	if !ok || len(sum) <= sha256.Size {
		f.remove()
		return nil
	}
	kernel := sum[sha256.Size:]
	if sha256.Sum256(kernel) != [sha256.Size]byte(sum) {
		f.remove()
		return nil
	}
	now := time.Now()
	_ = os.Chtimes(string(f), now, now)
	return kernel
}

// store writes the kernel to a temporary file and renames it, so that other
// programs see either all of it or nothing.
func (f cacheFile) store(kernel []byte) {
	if f == "" || len(kernel) == 0 || int64(len(kernel)) > cacheLimit/4 {
		return
	}
	dir := filepath.Dir(string(f))
	if os.MkdirAll(dir, 0o700) != nil {
		return
	}
	tmp, err := os.CreateTemp(dir, "*"+tempSuffix)
	if err != nil {
		return
	}
	sum := sha256.Sum256(kernel)
	_, err = tmp.Write(slices.Concat([]byte(cacheMagic), sum[:], kernel))
	if e := tmp.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(tmp.Name(), string(f))
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
		return
	}
	evict(dir)
}

func (f cacheFile) remove() { _ = os.Remove(string(f)) }

// evict removes the least recently used kernels until the rest is well below
// the limit, and removes temporary files of programs that died.
func evict(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	var kernels []fs.FileInfo
	var total int64
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			continue // another process removed it
		}
		switch {
		case strings.HasSuffix(e.Name(), cacheSuffix):
			kernels = append(kernels, info)
			total += info.Size()
		case strings.HasSuffix(e.Name(), tempSuffix) && time.Since(info.ModTime()) > tempAge:
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
	if total <= cacheLimit {
		return
	}
	slices.SortFunc(kernels, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, k := range kernels {
		if total <= cacheLimit/4*3 {
			return
		}
		if os.Remove(filepath.Join(dir, k.Name())) == nil {
			total -= k.Size()
		}
	}
}
