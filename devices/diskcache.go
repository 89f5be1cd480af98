package devices

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
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
	tempAge     = time.Hour // temporary files older than this were left by programs that died
)

// isKernel reports whether the cache writes kernels under this name:
// HASH.kernel, where HASH is a SHA-256 in hexadecimal.
func isKernel(name string) bool {
	hash, suffix, _ := strings.Cut(name, ".")
	return isHash(hash) && "."+suffix == cacheSuffix
}

// isTemp reports whether the cache writes temporary files under this name:
// HASH.N.tmp, where N is a random number.
func isTemp(name string) bool {
	part := strings.Split(name, ".")
	if len(part) != 3 || !isHash(part[0]) || part[2] != "tmp" {
		return false
	}
	_, err := strconv.ParseUint(part[1], 10, 64)
	return err == nil
}

func isHash(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && len(b) == sha256.Size && s == strings.ToLower(s)
}

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
// as recently used. An invalid file stays until store replaces it.
func (f cacheFile) load() []byte {
	if f == "" {
		return nil
	}
	data := readRegular(string(f), cacheLimit)
	sum, ok := bytes.CutPrefix(data, []byte(cacheMagic))
	if !ok || len(sum) <= sha256.Size {
		return nil
	}
	kernel := sum[sha256.Size:]
	if sha256.Sum256(kernel) != [sha256.Size]byte(sum) {
		return nil
	}
	now := time.Now()
	_ = os.Chtimes(string(f), now, now)
	return kernel
}

// readRegular returns the contents of a file, or nil if it cannot be read, has
// more than limit bytes, or is not a regular file. Reading a named pipe would
// wait for ever.
func readRegular(name string, limit int64) []byte {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > limit {
		return nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, info.Size()))
	if err != nil {
		return nil
	}
	return data
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
	name := strings.TrimSuffix(filepath.Base(string(f)), cacheSuffix)
	tmp, err := os.CreateTemp(dir, name+".*.tmp")
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
// the limit, and removes temporary files of programs that died. It keeps
// everything that the cache did not write.
func evict(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	var kernels []fs.FileInfo
	var total int64
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue // another process removed it, or it is not the cache's
		}
		switch {
		case isKernel(e.Name()):
			kernels = append(kernels, info)
			total += info.Size()
		case isTemp(e.Name()) && time.Since(info.ModTime()) > tempAge:
			removeOwn(filepath.Join(dir, e.Name()))
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
		if removeOwn(filepath.Join(dir, k.Name())) {
			total -= k.Size()
		}
	}
}

// removeOwn removes a file if it begins as those of the cache do, and reports
// whether it did. A program that dies can leave a file with less than the
// beginning.
func removeOwn(name string) bool {
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	start, err := io.ReadAll(io.LimitReader(file, int64(len(cacheMagic))))
	_ = file.Close()
	return err == nil && strings.HasPrefix(cacheMagic, string(start)) && os.Remove(name) == nil
}
