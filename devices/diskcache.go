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

// cacheLimit is how many bytes of kernels are kept on disk; tests make it less.
var cacheLimit int64 = 256 << 20

const (
	cacheMagic  = "skelgo kernel 1\n" // begins a file, and changes with its format
	cacheSuffix = ".kernel"
	tempSuffix  = ".tmp"
	tempAge     = time.Hour // after which a temporary file is of a program that died
)

// A cacheFile is where a kernel is kept on disk; "" keeps it nowhere. It holds
// cacheMagic, the SHA-256 of the rest, and the rest: what the driver gave. The
// cache never fails: what cannot be read is built, what cannot be written is
// built again next time.
type cacheFile string

// cacheDir is the directory of built kernels; "" when none are kept. Get, List and
// Default return the error of a setting that is not understood.
func cacheDir() string {
	dir, _ := cacheSetting()
	return dir
}

// cacheFile names the file of a program on this device by all that decides
// what the driver makes of it.
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

// load gives the kernel, or nil when there is none that is whole. A file that
// is used becomes young again.
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

// store writes the kernel aside and renames it, so that another program sees
// all of it or nothing.
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

// evict removes the kernels that have not been used for longest until the rest
// is a good deal below the limit, and what programs that died left behind.
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
			continue // another program removed it
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
