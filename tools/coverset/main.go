package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// listFile is the file that coverset writes, below the root of the repository.
const listFile = "skel/skeltest/subjects.txt"

// library lists the packages whose statements count.
var library = []string{"skel", "internal/array", "devices", "devices/cpu", "devices/opencl", "devices/cuda"}

func main() {
	only := flag.String("only", "", "measure these kinds only, with commas between them, and keep the others")
	bin := flag.String("bin", "", "folder of test binaries; those that exist are not built again")
	flag.Parse()
	if err := run("..", *bin, *only); err != nil {
		fmt.Fprintln(os.Stderr, "coverset:", err)
		os.Exit(1)
	}
}

// run measures the kinds of devices and writes the list of the repository at root.
func run(root, bin, only string) error {
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	if bin == "" {
		if bin, err = os.MkdirTemp("", "coverset"); err != nil {
			return err
		}
		defer os.RemoveAll(bin)
	}
	subjects, err := subjectsOf(root)
	if err != nil {
		return err
	}
	if err := build(root, bin, subjects); err != nil {
		return err
	}
	name := filepath.Join(root, listFile)
	old, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	sections := parse(string(old))
	for _, k := range kinds {
		if only != "" && !slices.Contains(strings.Split(only, ","), k.name) {
			continue
		}
		runs, err := k.measure(root, bin, subjects)
		if err != nil {
			return err
		}
		sections[k.name] = section(runs, k.share, k.always)
		if err := os.WriteFile(name, []byte(format(sections)), 0o644); err != nil { // the next kind takes long
			return err
		}
	}
	return nil
}

// subject is a subject of a family.
type subject struct{ family, name string }

var subjectLine = regexp.MustCompile(`(?m)^\t\{Name: "(\w+)"`)

// subjectsOf returns all subjects, in the order of their families and lists.
func subjectsOf(root string) ([]subject, error) {
	files, err := filepath.Glob(filepath.Join(root, "skel/skeltest/*/doc.go"))
	if err != nil {
		return nil, err
	}
	var all []subject
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		for _, m := range subjectLine.FindAllStringSubmatch(string(text), -1) {
			all = append(all, subject{filepath.Base(filepath.Dir(f)), m[1]})
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no subjects in %s/skel/skeltest/*/doc.go", root)
	}
	return all, nil
}

// build builds the test binaries that bin lacks.
func build(root, bin string, subjects []subject) error {
	packages := []string{"./skel/gputest"}
	for _, s := range subjects {
		packages = append(packages, "./skel/skeltest/"+s.family)
	}
	packages = slices.DeleteFunc(packages, func(p string) bool {
		_, err := os.Stat(filepath.Join(bin, filepath.Base(p)+".test"))
		return err == nil
	})
	slices.Sort(packages)
	if packages = slices.Compact(packages); len(packages) == 0 {
		return nil
	}
	paths := make([]string, len(library))
	for i, p := range library {
		paths[i] = "github.com/skelgo/skelgo/" + p
	}
	args := append([]string{"test", "-c", "-vet=off", "-cover", "-covermode=set", "-coverpkg=" + strings.Join(paths, ","),
		"-o", bin + string(filepath.Separator)}, packages...)
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = root, os.Stderr, os.Stderr
	return cmd.Run()
}

// kind is a kind of device, and how subjects run on it.
type kind struct {
	name  string
	share float64 // of the statements of all subjects that the chosen ones execute
	env   []string
	tests string // the tests, as for -run
	bin   string // the test binary; "" is that of the family
	short bool
	// build is what the first subject of a family costs besides, for each megabyte of the binary: a kind whose
	// tests are compiled for it alone should need few families. It is in the time of the tests measured here.
	build time.Duration
	// always lists subjects that the kind is for, whatever statements of the host they execute.
	always []string
}

// kinds lists the kinds of devices. The detector of races only runs code that other tests
// cover, so what it should see is what the host does: the native device, alone and as several.
// Compiling for it takes about 4 s a megabyte, and its tests take about ten times as long as here.
var kinds = []kind{
	{name: "cpu", share: 1, env: []string{"SKEL_DEVICE=cpu"}, tests: "^TestSkeletons$|^TestSeveralProcessors$"},
	{name: "opencl", share: 1, env: []string{"SKEL_DEVICE=opencl:0", "SKEL_REQUIRE=opencl"}, tests: "^TestSkeletons$"},
	{name: "opencl3", share: 0.97, always: []string{"Goroutines", "Traffic"}, tests: "^TestSkeletons$|^TestSeveral$",
		env: []string{"SKEL_DEVICE=opencl:all", "SKEL_REQUIRE=opencl", "POCL_DEVICES=pthread pthread pthread"}},
	{name: "race", share: 0.97, env: []string{"SKEL_DEVICE=cpu"}, tests: "^TestSkeletons$|^TestSeveralProcessors$",
		short: true, build: 400 * time.Millisecond, always: []string{"Goroutines"}},
	{name: "emulated", share: 0.9, tests: "^TestEmulatedSample$", bin: "gputest", always: []string{
		"Map", "Overlap", "Reduce", "ReduceByKey", "Scan", "Select", "Sort", "SortMerge", "AllPairs",
	}}, // what differs from other kinds are the kernels of each skeleton
}

// measured is what a subject executes, and its time.
type measured struct {
	subject
	time   time.Duration
	build  time.Duration  // of the family, if no other subject of it is chosen
	blocks map[string]int // statements by block
}

// measure runs every subject.
func (k *kind) measure(root, bin string, subjects []subject) ([]measured, error) {
	profile := filepath.Join(bin, "profile.txt")
	var all []measured
	for _, s := range subjects {
		name := s.family
		if k.bin != "" {
			name = k.bin
		}
		args := []string{"-test.run", k.tests, "-test.coverprofile", profile, "-test.timeout", "30m"}
		if k.short {
			args = append(args, "-test.short")
		}
		cmd := exec.Command(filepath.Join(bin, name+".test"), args...)
		cmd.Dir = filepath.Join(root, "skel/skeltest", s.family)
		if k.bin != "" {
			cmd.Dir = filepath.Join(root, "skel", k.bin)
		}
		cache := filepath.Join(bin, "cache") // without kernels of earlier runs, times compare
		if err := os.RemoveAll(cache); err != nil {
			return nil, err
		}
		cmd.Env = append(os.Environ(), append([]string{
			"SKEL_SUBJECTS=" + s.name, "SKEL_REQUIRE=clang", "SKEL_CACHE=off", "XDG_CACHE_HOME=" + cache,
		}, k.env...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s on %s: %w\n%s", s.name, k.name, err, out)
		}
		text, err := os.ReadFile(profile)
		if err != nil {
			return nil, err
		}
		info, err := os.Stat(cmd.Path)
		if err != nil {
			return nil, err
		}
		m := measured{
			subject: s, time: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(),
			build: k.build * time.Duration(info.Size()>>20), blocks: executed(string(text)),
		}
		fmt.Fprintf(os.Stderr, "%-9s %-15s %6.1f s %5d statements\n", k.name, s.name, m.time.Seconds(), size(m.blocks))
		all = append(all, m)
	}
	return all, nil
}
