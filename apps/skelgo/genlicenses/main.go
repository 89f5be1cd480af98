package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	if err := run(".", "licenses.txt"); err != nil {
		fmt.Fprintln(os.Stderr, "genlicenses:", err)
		os.Exit(1)
	}
}

// run writes the licences of the modules that the program in dir links to the file called out.
func run(dir, out string) error {
	modules, err := linked(dir)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	text.WriteString("The program skelgo contains the following software. " +
		"The licences below name the authors and the terms.\n\n")
	for _, name := range slices.Sorted(maps.Keys(modules)) {
		fmt.Fprintf(&text, "%s\n", name)
	}
	for _, name := range slices.Sorted(maps.Keys(modules)) {
		files, err := licenses(modules[name])
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for _, f := range files {
			fmt.Fprintf(&text, "\n%s\n%s: %s\n\n", strings.Repeat("=", 80), name, filepath.ToSlash(f))
			part, err := os.ReadFile(filepath.Join(modules[name], f))
			if err != nil {
				return err
			}
			text.WriteString(plain(part))
		}
	}
	// make check runs the linter at the same time, which must not read half a file.
	if old, err := os.ReadFile(out); err == nil && bytes.Equal(old, text.Bytes()) {
		return nil
	}
	return os.WriteFile(out, text.Bytes(), 0o644)
}

// The licence of Go has the text of that of golang.org/x/text. Installations of Go may lack it.
const (
	goItself = "Go, its runtime and standard library"
	likeGo   = "golang.org/x/text "
)

// linked returns the folders of the modules, by path and version. Go and skelgo are among them.
func linked(dir string) (map[string]string, error) {
	modules := map[string]string{}
	for _, system := range []string{"linux", "darwin", "windows"} {
		const format = `{{with .Module}}{{.Path}} {{.Version}}{{"\t"}}{{.Dir}}{{end}}`
		list, err := goCommand(dir, system, "list", "-deps", "-f", format, ".")
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(list) {
			if name, folder, is := strings.Cut(strings.TrimSpace(line), "\t"); is {
				modules[strings.TrimSpace(name)] = folder
				if strings.HasPrefix(name, likeGo) {
					modules[goItself] = folder
				}
			}
		}
	}
	if modules[goItself] == "" {
		return nil, errors.New("skelgo links no module with the licence of Go")
	}
	return modules, nil
}

func goCommand(dir, system string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0", "GOOS="+system, "GOARCH=amd64")
	out, err := cmd.Output()
	if e, is := errors.AsType[*exec.ExitError](err); is {
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, e.Stderr)
	}
	return string(out), err
}

// licenseFile matches the names of files with licences and notices. The GPL is left out: freetype is used under
// its other licence.
var licenseFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|ftl)[^/]*$|-licen[cs]e$`)

// licenses returns the files with licences in the folder of a module, and in those for licences below it.
func licenses(folder string) (files []string, err error) {
	for _, in := range []string{".", "licenses", "THIRD_PARTY_LICENSES"} {
		entries, err := os.ReadDir(filepath.Join(folder, in))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
		for _, e := range entries {
			if e.Type().IsRegular() && licenseFile.MatchString(e.Name()) {
				files = append(files, path.Join(in, e.Name()))
			}
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no file with a licence in %s", folder)
	}
	return files, nil
}

// plain returns a text in UTF-8 without carriage returns and blanks at the ends of lines.
func plain(text []byte) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimSpace(strings.ToValidUTF8(string(text), "?"))) {
		b.WriteString(strings.TrimRight(line, " \t\r\n\f") + "\n")
	}
	return b.String()
}
