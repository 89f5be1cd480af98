package windll

import (
	"io/fs"
	"os"
	"slices"
	"testing"
)

// TestFlags checks that no name makes Windows search the current folder.
func TestFlags(t *testing.T) {
	for name, want := range map[string]uintptr{
		"nvcuda.dll": searchSystem32, "OpenCL.dll": searchSystem32,
		`C:\CUDA\bin\nvrtc64_130_0.dll`: searchFolderOfLibrary | searchSystem32,
		`d:/cuda/nvrtc.dll`:             searchFolderOfLibrary | searchSystem32,
		`\\server\share\nvrtc.dll`:      searchFolderOfLibrary | searchSystem32,
	} {
		if got, err := flags(name); got != want || err != nil {
			t.Errorf("%s: %#x, %v, want %#x", name, got, err, want)
		}
	}
	for _, name := range []string{
		`.\OpenCL.dll`, `bin/nvrtc.dll`, `C:nvrtc.dll`, `\cuda\nvrtc.dll`, `..\x.dll`, `1:\x.dll`,
	} {
		if got, err := flags(name); err == nil {
			t.Errorf("%s: %#x, want an error", name, got)
		}
	}
}

// TestFiles checks that folders of PATH are used only if they are absolute.
func TestFiles(t *testing.T) {
	here, err := os.Stat("windll.go")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { stat = os.Stat }()
	stat = func(path string) (fs.FileInfo, error) {
		if path == `C:\Windows\b.dll` {
			return nil, fs.ErrNotExist
		}
		return here, nil
	}
	got := Files(`.;C:\Windows\;;bin;"D:\CUDA\bin";C:rel;\x`, []string{"a.dll", "b.dll"})
	if want := []string{`C:\Windows\a.dll`, `D:\CUDA\bin\a.dll`, `D:\CUDA\bin\b.dll`}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
