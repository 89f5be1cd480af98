package cu

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/skelgo/skelgo/devices/internal/dl"
	"github.com/skelgo/skelgo/devices/internal/windll"
)

// nvrtc is the compiler, which comes with the CUDA toolkit or separately.
var nvrtc = &dl.Library{Title: "the CUDA compiler library NVRTC", Names: nvrtcFiles}

// nvrtcFiles returns the possible file names of NVRTC: in the system's library
// path first, then in the folders of the toolkit, newest first. On Windows, no name
// is looked for in the current folder.
func nvrtcFiles() []string {
	if runtime.GOOS == "windows" {
		bare := []string{"nvrtc64_130_0.dll", "nvrtc64_120_0.dll", "nvrtc64_112_0.dll"}
		// Package windll looks for names in the system's folder only, and NVRTC is in a folder of PATH.
		names := append(slices.Clone(bare), windll.Files(os.Getenv("PATH"), bare)...)
		for _, dir := range toolkits() {
			if !windll.Absolute(dir) {
				continue
			}
			found, _ := filepath.Glob(filepath.Join(dir, "bin", "nvrtc64_*_0.dll"))
			more, _ := filepath.Glob(filepath.Join(dir, "bin", "x64", "nvrtc64_*_0.dll"))
			names = append(append(names, found...), more...)
		}
		return names
	}
	bare := []string{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"}
	names := slices.Clone(bare)
	for _, dir := range toolkits() {
		for _, lib := range []string{"lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"} {
			for _, name := range bare {
				if path := filepath.Join(dir, lib, name); exists(path) {
					names = append(names, path)
				}
			}
		}
	}
	return names
}

// toolkits returns the folders that may contain the CUDA toolkit.
func toolkits() []string {
	var dirs []string
	for _, name := range []string{"CUDA_PATH", "CUDA_HOME"} {
		if dir := os.Getenv(name); dir != "" {
			dirs = append(dirs, dir)
		}
	}
	found, _ := filepath.Glob("/usr/local/cuda*")
	slices.Reverse(found) // cuda-13.0 before cuda-12.4
	return append(dirs, found...)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
