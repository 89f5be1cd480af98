package emulator

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/skelgo/skelgo/devices/cuda"
	"github.com/skelgo/skelgo/devices/driver"
)

const compilerName, linkerName = "clang++", "ld"

//go:embed text/cuda.h
var before string

//go:embed text/after.h
var after string

//go:embed text/runtime.cpp
var runtimeText string

// options keep every floating-point operation as it is written, as the options
// of NVRTC do. The runtime is called at every branch of a kernel.
var options = []string{
	"-std=c++17", "-O1", "-ffp-contract=off", "-fno-math-errno", "-fno-strict-aliasing",
	"-fno-exceptions", "-fno-rtti", "-fPIC", "-fvisibility=hidden", "-w", "-ferror-limit=10",
}

const branches = "-fsanitize-coverage=trace-pc"

// compiler compiles programs to shared libraries in a folder of its own, which
// also holds the precompiled text that precedes every program.
type compiler struct {
	once    [3]sync.Once // for the folder and the runtime, for the text, and for the text in checked mode
	err     [3]error
	dir     string
	library int // the number of the last library
	mu      sync.Mutex
}

// file returns a new file name.
func (c *compiler) file(suffix string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.library++
	return filepath.Join(c.dir, fmt.Sprintf("kernel%d%s", c.library, suffix))
}

// open creates the folder and compiles the runtime.
func (c *compiler) open() error {
	c.once[0].Do(func() {
		if c.dir, c.err[0] = os.MkdirTemp("", "skelgo-emulator-"); c.err[0] != nil {
			return
		}
		c.err[0] = run(compilerName, runtimeText,
			append(slices.Clone(options), "-O2", "-x", "c++", "-c", "-", "-o", filepath.Join(c.dir, "runtime.o"))...)
	})
	return c.err[0]
}

// close removes the folder.
func (c *compiler) close() error {
	if c.dir == "" {
		return nil
	}
	return os.RemoveAll(c.dir)
}

// beginning returns the precompiled text that precedes every program, and the
// flags with which it was compiled.
func (c *compiler) beginning(checked bool) (file string, flags []string, err error) {
	flags, i, file := append(slices.Clone(options), branches), 1, filepath.Join(c.dir, "prelude.pch")
	if checked {
		flags, i, file = append(flags, "-DSKEL_CHECK"), 2, filepath.Join(c.dir, "checked.pch")
	}
	c.once[i].Do(func() {
		c.err[i] = run(compilerName, before+"#line 1 \"prelude.cu\"\n"+cuda.Prelude+after,
			append(slices.Clone(flags), "-x", "c++-header", "-", "-o", file)...)
	})
	return file, flags, c.err[i]
}

// images caches the libraries for all devices: tests create many devices, which
// run the same programs.
var images struct {
	sync.Mutex
	of map[[sha256.Size]byte]*image
}

// image is a library that is being compiled or has been.
type image struct {
	sync.Mutex
	data []byte
}

// image returns the library of a program. A failed compilation is tried again
// the next time.
func (c *compiler) image(p driver.Program) ([]byte, error) {
	key := sha256.Sum256(fmt.Appendf(nil, "%s %v\n%s", p.Name, p.Checked, p.C))
	images.Lock()
	if images.of == nil {
		images.of = map[[sha256.Size]byte]*image{}
	}
	i := images.of[key]
	if i == nil {
		i = &image{}
		images.of[key] = i
	}
	images.Unlock()
	i.Lock()
	defer i.Unlock()
	if i.data != nil {
		return i.data, nil
	}
	file, err := c.compile(p)
	if err != nil {
		return nil, err
	}
	defer os.Remove(file) // the folder is removed anyway
	i.data, err = os.ReadFile(file)
	return i.data, err
}

// compile compiles a program to a library.
func (c *compiler) compile(p driver.Program) (file string, err error) {
	if err := c.open(); err != nil {
		return "", err
	}
	beginning, flags, err := c.beginning(p.Checked)
	if err != nil {
		return "", err
	}
	// clang++ only compiles: if it also linked, it would start itself a second time for that,
	// and reading its libraries takes as long as compiling a small kernel.
	object := c.file(".o")
	defer os.Remove(object)
	flags = append(flags, "-include-pch", beginning, "-x", "c++", "-c", "-", "-o", object)
	err = run(compilerName, "#line 1 \"program\"\n"+p.C+"\nSKEL_ENTRY("+p.Name+")\n", flags...)
	if err != nil {
		return "", err
	}
	file = strings.TrimSuffix(object, ".o") + ".so"
	return file, run(linkerName, "", "-shared", "-z", "defs", object, filepath.Join(c.dir, "runtime.o"), "-lm", "-lc",
		"-o", file)
}

// run runs a program. Its error contains what the program wrote.
func run(program, text string, args ...string) error {
	cmd := exec.Command(program, args...)
	cmd.Stdin = strings.NewReader(text)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w:\n%s", program, err, said.String())
	}
	return nil
}

// Fingerprint identifies everything that determines the result of Build.
func (d *Device) Fingerprint() string {
	return strings.Join(options, " ") + before + cuda.Prelude + after + runtimeText
}
