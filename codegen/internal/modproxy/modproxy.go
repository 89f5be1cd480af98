package modproxy

import (
	"archive/zip"
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Add adds one version of a module to the proxy in dir. The module's path must
// be in lower case.
func Add(dir, module, version string, files fs.FS) error {
	at := filepath.Join(dir, filepath.FromSlash(module), "@v")
	if err := os.MkdirAll(at, 0o755); err != nil {
		return err
	}
	mod, err := fs.ReadFile(files, "go.mod")
	if err != nil {
		return err
	}
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	err = fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return cmp.Or(err, skip(files, name))
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		f, err := w.Create(module + "@" + version + "/" + name)
		if err == nil {
			_, err = f.Write(data)
		}
		return err
	})
	if err := cmp.Or(err, w.Close()); err != nil {
		return fmt.Errorf("zip of module %s: %w", module, err)
	}
	for name, data := range map[string][]byte{
		version + ".info": fmt.Appendf(nil, `{"Version":%q}`, version),
		version + ".mod":  mod,
		version + ".zip":  buf.Bytes(),
		"list":            []byte(version + "\n"),
	} {
		if err := os.WriteFile(filepath.Join(at, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// skip skips folders that are not part of a module's zip or that no build
// reads.
func skip(files fs.FS, name string) error {
	if name == "." {
		return nil
	}
	base := filepath.Base(name)
	_, err := fs.Stat(files, name+"/go.mod")
	if err == nil || base == "testdata" || strings.HasPrefix(base, ".") {
		return fs.SkipDir
	}
	return nil
}

// Env returns the variables to add to testmodule.Settings so that the go command
// uses an empty module cache in cache and takes modules from the proxies in the
// given folders and then from this machine's module cache.
func Env(cache string, proxies ...string) ([]string, error) {
	own, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		return nil, err
	}
	proxies = append(proxies, filepath.Join(strings.TrimSpace(string(own)), "cache", "download"))
	for i, p := range proxies {
		proxies[i] = "file://" + filepath.ToSlash(p)
	}
	return []string{
		"GOMODCACHE=" + cache,
		"GOPROXY=" + strings.Join(proxies, ","),
		"GOFLAGS=-mod=mod -modcacherw -buildvcs=false",
	}, nil
}
