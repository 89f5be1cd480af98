package windll

import (
	"fmt"
	"os"
	"strings"
)

// The folders that LoadLibraryExW searches, also for the libraries that the library needs.
const (
	searchFolderOfLibrary = 0x100 // LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR
	searchSystem32        = 0x800 // LOAD_LIBRARY_SEARCH_SYSTEM32
)

// Absolute reports whether a path on Windows is absolute: C:\... or \\server\....
func Absolute(path string) bool {
	slash := func(c byte) bool { return c == '\\' || c == '/' }
	if len(path) > 1 && slash(path[0]) && slash(path[1]) {
		return true
	}
	if len(path) < 3 || path[1] != ':' || !slash(path[2]) {
		return false
	}
	letter := path[0] | 0x20
	return letter >= 'a' && letter <= 'z'
}

// flags returns which folders LoadLibraryExW must search for a library.
func flags(name string) (uintptr, error) {
	switch {
	case Absolute(name):
		return searchFolderOfLibrary | searchSystem32, nil
	case strings.ContainsAny(name, `\/:`):
		return 0, fmt.Errorf("the path of the library %s is not absolute", name)
	}
	return searchSystem32, nil
}

// Files returns the paths of existing files with the given names in the folders of a list as that of the
// variable PATH. It leaves out folders that are not absolute, as . is.
func Files(list string, names []string) (paths []string) {
	for dir := range strings.SplitSeq(list, ";") {
		if dir = strings.Trim(dir, `"`); !Absolute(dir) {
			continue
		}
		for _, name := range names {
			path := strings.TrimRight(dir, `\/`) + `\` + name
			if info, err := stat(path); err == nil && info.Mode().IsRegular() {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

var stat = os.Stat // tests replace it
