package bench

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed" // the programs
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/devices"
)

//go:embed yardstick/yardstick.cu
var yardstickSource []byte

//go:embed yardstick/torch.py
var torchScript string

//go:embed yardstick/segment_sum_jax.py
var jaxScript string

// startYardsticks starts the yardsticks that are other programs, and notes those
// that are missing.
func startYardsticks(s *benchmark.Suite, path string) error {
	if strings.HasPrefix(s.Device.ID(), "cuda") {
		s.OpenCL = sameCard(s.Device)
	}
	if !nvidia(s.Device) {
		if path != "" {
			s.Note("--yardstick %s: the yardstick needs an NVIDIA GPU, and %s is not one", path, s.Device)
		}
		if !s.GPU() {
			s.Python = benchmark.FindPython(s.Context, "sklearn")
		}
		return nil
	}
	program, err := buildYardstick(s.Context, path, s.Note)
	if err != nil {
		s.Note("without the yardsticks CUB, cuBLAS and cuRAND: %v", err)
	} else if s.Yardstick, err = benchmark.StartProgram("yardstick", exec.CommandContext(s.Context, program, "-d",
		cudaNumber(s.Device))); err != nil {
		return err
	}
	if s.Torch, err = startPython(s, "PyTorch", "torch", torchScript); err != nil {
		return err
	}
	s.JAX, err = startPython(s, "JAX", "jax", jaxScript)
	return err
}

// startPython starts a script that needs a module of Python. It returns nil if no Python has it.
func startPython(s *benchmark.Suite, name, module, script string) (*benchmark.Program, error) {
	python := benchmark.FindPython(s.Context, module)
	if python == "" {
		s.Note("without the yardstick %s: no python3 here has it", name)
		return nil, nil
	}
	cmd := benchmark.Python(s.Context, python, "-c", script, cudaNumber(s.Device))
	cmd.Stderr = os.Stderr
	return benchmark.StartProgram(name, cmd)
}

func nvidia(d *devices.Device) bool {
	n := d.Info()
	return n.Kind == devices.GPU && (strings.HasPrefix(d.ID(), "cuda") || strings.Contains(n.Platform, "NVIDIA"))
}

// cudaNumber is the number of a device for CUDA; that of an OpenCL device is
// not known, and 0 where there is one card.
func cudaNumber(d *devices.Device) string {
	if number, ok := strings.CutPrefix(d.ID(), "cuda:"); ok {
		return number
	}
	return "0"
}

// sameCard finds the OpenCL device of the same name; nil when there is none.
func sameCard(d *devices.Device) *devices.Device {
	found, err := devices.Get("opencl:all")
	if err != nil {
		return nil
	}
	for _, other := range found {
		if strings.TrimSpace(other.Info().Name) == strings.TrimSpace(d.Info().Name) {
			return other
		}
	}
	return nil
}

// buildYardstick gives the yardstick program: the one at path when that is not
// empty, else one built from the source in this program and kept in the user's
// cache.
func buildYardstick(ctx context.Context, path string, note func(format string, args ...any)) (string, error) {
	if path != "" {
		return path, nil
	}
	nvcc, err := findNvcc()
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	version, err := exec.CommandContext(ctx, nvcc, "--version").Output()
	if err != nil {
		return "", fmt.Errorf("%s --version: %w", nvcc, err)
	}
	sum := sha256.Sum256(append(version, yardstickSource...))
	dir := filepath.Join(cache, "skelgo-bench")
	program := filepath.Join(dir, fmt.Sprintf("yardstick-%x", sum[:8]))
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	work, err := os.MkdirTemp(dir, "build")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	output.Temporary(work)
	source, built := filepath.Join(work, "yardstick.cu"), filepath.Join(work, "yardstick")
	if err := os.WriteFile(source, yardstickSource, 0o644); err != nil {
		return "", err
	}
	note("building the yardstick with %s; it takes a minute or two", nvcc)
	libraries := filepath.Join(filepath.Dir(filepath.Dir(nvcc)), "lib64")
	build := exec.CommandContext(ctx, nvcc, "-O3", "-std=c++17", "-arch=native", "-o", built, source,
		"-lcublas", "-lcurand", "-Xlinker", "-rpath", "-Xlinker", libraries)
	build.WaitDelay = 50 * time.Millisecond // nvcc's children may survive it
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w: %s", build, err, tail(out, 2000))
	}
	return program, os.Rename(built, program)
}

// findNvcc looks where CUDA puts its compiler.
func findNvcc() (string, error) {
	if p, err := exec.LookPath("nvcc"); err == nil {
		return filepath.EvalSymlinks(p)
	}
	for _, home := range []string{os.Getenv("CUDA_HOME"), "/usr/local/cuda"} {
		p := filepath.Join(home, "bin", "nvcc")
		if _, err := os.Stat(p); err == nil && home != "" {
			return p, nil
		}
	}
	return "", errors.New("no nvcc on the PATH, in CUDA_HOME or in /usr/local/cuda; " +
		"use --yardstick for a program that was built elsewhere")
}

// tail returns the end of a program's output.
func tail(out []byte, most int) string {
	out = bytes.TrimSpace(out)
	return string(out[max(0, len(out)-most):])
}
