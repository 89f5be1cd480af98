package devices

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
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

// cacheSetting reads SKEL_CACHE: the directory of cached kernels, or "" for no
// cache. A relative path is rejected because it is probably a mistake, such as
// SKEL_CACHE=no.
func cacheSetting() (dir string, err error) {
	switch dir := os.Getenv("SKEL_CACHE"); {
	case dir == "off":
		return "", nil
	case dir == "":
		if dir, err := os.UserCacheDir(); err == nil {
			return filepath.Join(dir, "skelgo"), nil
		}
		return "", nil
	case filepath.IsAbs(dir):
		return dir, nil
	default:
		return "", fmt.Errorf("SKEL_CACHE=%s: must be off or the absolute path of a directory", dir)
	}
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
