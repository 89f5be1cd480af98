package devices

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/skelgo/skelgo/devices/driver"
)

// Dump writes a text into the directory that SKEL_DUMP names: what the program makes on the
// way from a Go function to a kernel. The file is called name and extension, with a hash of
// the text if another one has that name. Dump does nothing, and does not call text, if
// SKEL_DUMP is not set.
func Dump(name, extension string, text func() string) error {
	dir, err := dumpSetting()
	if dir == "" || err != nil {
		return err
	}
	c := text()
	name = strings.Map(fileRune, name)
	path := filepath.Join(dir, name+extension)
	if old, err := os.ReadFile(path); err == nil && string(old) != c {
		sum := sha256.Sum256([]byte(c))
		path = filepath.Join(dir, fmt.Sprintf("%s-%x%s", name, sum[:8], extension))
	}
	if err := os.WriteFile(path, []byte(c), 0o666); err != nil {
		return fmt.Errorf("SKEL_DUMP: %w", err)
	}
	return nil
}

// dumpSetting reads SKEL_DUMP and creates the directory. It returns "" if it is not set.
func dumpSetting() (dir string, err error) {
	if dir = os.Getenv("SKEL_DUMP"); dir == "" {
		return "", nil
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
