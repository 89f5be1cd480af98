package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
)

// count fills in the lines of each entry. The files are first formatted into a
// scratch folder, so that the count does not depend on line breaks.
func count(root string, entries []entry) error {
	if len(entries) == 0 {
		return nil
	}
	scratch, err := os.MkdirTemp("", "loc")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)

	args := []string{"--quiet", "--by-file", "--json", "--skip-uniqueness", "--force-lang=C,cl"}
	var files []string
	for i, e := range entries {
		text, err := formatted(filepath.Join(root, e.file))
		if err != nil {
			return err
		}
		file := filepath.Join(scratch, fmt.Sprintf("%d%s", i, filepath.Ext(e.file)))
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
		files = append(files, file)
	}
	out, err := output(exec.Command("cloc", append(args, files...)...))
	if err != nil {
		return err
	}
	var counts map[string]struct{ Code int }
	if err := json.Unmarshal(out, &counts); err != nil {
		return fmt.Errorf("cannot parse the JSON output of cloc: %w", err)
	}
	for i := range entries {
		c, ok := counts[files[i]]
		if !ok {
			return fmt.Errorf("cloc did not count %s", entries[i].file)
		}
		entries[i].lines = c.Code
	}
	return nil
}

// formatted returns the text of a file after gofmt, or clang-format in LLVM
// style for other languages. It omits lines with the comment "// timing", with
// which skelgo compare splits a run into phases.
func formatted(file string) ([]byte, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if filepath.Ext(file) == ".go" {
		text, err := format.Source(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		return timing.ReplaceAll(text, nil), nil
	}
	cmd := exec.Command("clang-format", "--style=LLVM", "--assume-filename=x.c")
	cmd.Stdin = bytes.NewReader(text)
	return output(cmd)
}

var timing = regexp.MustCompile(`(?m)^.*// timing.*\n`)

// output runs a command and returns its output; the error includes its standard
// error.
func output(cmd *exec.Cmd) ([]byte, error) {
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w %s(install with apt-get install cloc clang-format)", cmd.Args[0], err, stderr.Bytes())
	}
	return out, nil
}
