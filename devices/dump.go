package devices

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/skelgo/skelgo/devices/driver"
)

// Dump writes a text into the directory that SKEL_DUMP names: what the program makes on the
// way from a Go function to a kernel. The file is called name and extension, with a hash of
// the text if the program has written another one by that name. Dump does nothing, and does
// not call text, if SKEL_DUMP is not set. Each rank writes into a directory of its own.
func Dump(name, extension string, text func() string) error {
	dir, err := dumpSetting()
	if dir == "" || err != nil {
		return err
	}
	c := text()
	sum := sha256.Sum256([]byte(c))
	if name = strings.Map(fileRune, name); len(name) > maxDumpName {
		name = fmt.Sprintf("%s-%x", name[:maxDumpName], sum[:8])
	}
	dumped.Lock()
	defer dumped.Unlock()
	path := filepath.Join(dir, name+extension)
	if other, is := dumped.sums[path]; is && other != sum {
		path = filepath.Join(dir, fmt.Sprintf("%s-%x%s", name, sum[:8], extension))
	}
	if _, is := dumped.sums[path]; is {
		return nil
	}
	if err := os.WriteFile(path, []byte(c), 0o666); err != nil {
		return fmt.Errorf("SKEL_DUMP: %w", err)
	}
	if dumped.sums == nil {
		dumped.sums = map[string][sha256.Size]byte{}
	}
	dumped.sums[path] = sum
	return nil
}

// maxDumpName is the number of bytes of a name that the name of a file begins with: the labels
// of formulas that users type can be long.
const maxDumpName = 100

// dumped holds the hashes of the files that the program has written.
var dumped struct {
	sync.Mutex
	sums map[string][sha256.Size]byte
}

// dumpSetting reads SKEL_DUMP and creates the directory. It returns "" if it is not set.
func dumpSetting() (dir string, err error) {
	if dir = os.Getenv("SKEL_DUMP"); dir == "" {
		return "", nil
	}
	if Launched() {
		dir = filepath.Join(dir, strconv.Itoa(Rank()))
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", fmt.Errorf("SKEL_DUMP=%s: must be a directory, or the name of a new one: %w", dir, err)
	}
	return dir, nil
}

// fileRune replaces what some systems do not allow in the name of a file.
func fileRune(r rune) rune {
	if r == '.' || r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
		return r
	}
	return '_'
}

// dump writes the text of a kernel as it is built, below the call that asks for it.
func (d *Device) dump(l *Launch, p *driver.Program) error {
	return Dump(l.label(), ".kernel.c", func() string {
		checked := ""
		if p.Checked {
			checked = " in checked mode"
		}
		return fmt.Sprintf("// %s: kernel %s on %s%s\n%s", l.label(), p.Name, d.ID(), checked, p.C)
	})
}
