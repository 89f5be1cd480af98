package codegen

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"

	"golang.org/x/tools/go/packages"
)

// goMod is the part of a go.mod file that tells the versions of modules.
type goMod struct {
	Require []struct{ Path, Version string }
	Replace []struct {
		Old, New struct{ Path, Version string }
	}
}

// versionOf returns a module and the version of it that another one uses, or "" if it is a
// folder without a version. In a workspace, where all modules are folders, it is the
// version that the other one uses outside, so that generated files are the same there.
func (t *tracer) versionOf(m, by *packages.Module) (string, error) {
	if !m.Main {
		if m.Replace != nil {
			m = m.Replace
		}
		if m.Version == "" {
			return "", nil
		}
		return m.Path + "@" + m.Version, nil
	}
	if by == nil || by.GoMod == "" {
		return "", nil
	}
	mod, known := t.mods[by.GoMod]
	if !known {
		cmd := exec.Command("go", "mod", "edit", "-json", by.GoMod)
		cmd.Dir = filepath.Dir(by.GoMod)
		text, err := cmd.Output()
		if err == nil {
			err = json.Unmarshal(text, &mod)
		}
		if err != nil {
			return "", fmt.Errorf("%s: %w", by.GoMod, err)
		}
		t.mods[by.GoMod] = mod
	}
	path, version := m.Path, ""
	for _, r := range mod.Require {
		if r.Path == path {
			version = r.Version
		}
	}
	for _, r := range mod.Replace {
		if r.Old.Path == m.Path && (r.Old.Version == "" || r.Old.Version == version) {
			path, version = r.New.Path, r.New.Version
			break
		}
	}
	if version == "" {
		return "", nil
	}
	return path + "@" + version, nil
}
