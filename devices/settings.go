package devices

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// settingsError reports the first environment variable of this package that has
// an invalid value. Get, List and Default return the error, and so does
// creating containers on the default device. SKEL_DEVICE is checked where it is
// used, because a program may choose its devices itself.
func settingsError() error {
	if _, err := checkSetting(); err != nil {
		return err
	}
	if _, err := cacheSetting(); err != nil {
		return err
	}
	if _, err := splitSetting(); err != nil {
		return err
	}
	if _, err := memorySetting(); err != nil {
		return err
	}
	if _, err := dumpSetting(); err != nil {
		return err
	}
	return traceError()
}

// checkSetting reads SKEL_CHECK.
func checkSetting() (on bool, err error) {
	switch s := os.Getenv("SKEL_CHECK"); s {
	case "", "0":
		return false, nil
	case "1":
		return true, nil
	default:
		return false, fmt.Errorf("SKEL_CHECK=%s: must be 1 (checked mode on) or 0", s)
	}
}

// cacheSetting reads SKEL_CACHE and returns the directory of cached kernels, or
// "" for no cache. The directory is the folder skelgo of the one that SKEL_CACHE
// names, because that one may hold the user's files. A relative path is rejected
// because it is probably a mistake, such as SKEL_CACHE=no, and so is the root of
// a file system.
func cacheSetting() (dir string, err error) {
	parent := os.Getenv("SKEL_CACHE")
	switch {
	case parent == "off":
		return "", nil
	case parent == "":
		if parent, err = os.UserCacheDir(); err != nil {
			return "", nil //nolint:nilerr // a user without a cache directory has no cache
		}
	case !filepath.IsAbs(parent):
		return "", fmt.Errorf("SKEL_CACHE=%s: must be off or the absolute path of a directory", parent)
	case filepath.Dir(filepath.Clean(parent)) == filepath.Clean(parent):
		return "", fmt.Errorf("SKEL_CACHE=%s: must be off or the absolute path of a directory other than the root",
			parent)
	}
	return filepath.Join(parent, "skelgo"), nil
}

// memorySetting reads SKEL_MEMORY and returns 0 if it is not set.
func memorySetting() (bytes int64, err error) {
	s := os.Getenv("SKEL_MEMORY")
	if s == "" {
		return 0, nil
	}
	digits := strings.TrimRight(s, "KMGTiB ")
	x, err := strconv.ParseFloat(digits, 64)
	unit, ok := units[strings.TrimSpace(s[len(digits):])]
	if err != nil || !ok || !(x*unit >= 1) || x*unit > 1<<60 {
		return 0, fmt.Errorf("SKEL_MEMORY=%s: must be the bytes of a device that containers may use, "+
			"such as 4GB or 512MiB", s)
	}
	return int64(x * unit), nil
}

// units are the units of a number of bytes.
var units = map[string]float64{
	"": 1, "B": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40,
	"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
}

// splitSetting reads SKEL_SPLIT and returns -1 if it is not set.
func splitSetting() (bytes int64, err error) {
	s := os.Getenv("SKEL_SPLIT")
	if s == "" {
		return -1, nil
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		return -1,
			fmt.Errorf("SKEL_SPLIT=%s: must be the number of bytes above which containers are spread over several "+
				"devices", s)
	}
	return n, nil
}
