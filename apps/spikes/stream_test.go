package spikes

import (
	"bytes"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data"
	"github.com/skelgo/skelgo/apps/spikes/simulate"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/vector"
)

// memory is SKEL_MEMORY in tests of files that are larger than devices may hold.
const memory = "2MiB"

// run runs the command on a device. It returns what it has written into the directory, and whether the waveforms were
// on pages.
func run(t *testing.T, d *devices.Device, output string, args ...string) (
	files map[string][]byte, paged bool, err error,
) {
	t.Helper()
	var c SortCommand
	parser, err := kong.New(&c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(append(args, "-d", d.ID(), "-o", output, "--plots=svg", "--components=3")); err != nil {
		t.Fatal(err)
	}
	env := &app.Env{Stdout: io.Discard, Stderr: io.Discard, Stdin: strings.NewReader("")}
	j := &job{sortOptions: &c.sortOptions, source: &c, output: output}
	if err := app.Run(t.Context(), env, c.Flags, j); err != nil {
		return nil, false, err
	}
	files = map[string][]byte{}
	names, err := os.ReadDir(output)
	for _, e := range names {
		if files[e.Name()], err = os.ReadFile(filepath.Join(output, e.Name())); err != nil {
			return nil, false, err
		}
	}
	return files, j.result.Waveforms.Vector().Distribution().Kind() == vector.Blocks, err
}

// TestStream sorts waveforms that are larger than devices may hold.
func TestStream(t *testing.T) {
	dir := t.TempDir()
	const n, channels = 4000, 2
	s := simulated(t, simulate.Options{Spikes: n, Units: 3, Channels: channels, Jitter: 1, Noise: 0.1, Seed: 5})
	floats, integers := filepath.Join(dir, "f.npy"), filepath.Join(dir, "i.npy")
	if err := data.WriteArray(nil, floats, s.waves, s.n, s.cols/channels, channels); err != nil {
		t.Fatal(err)
	}
	rounded := make([]int16, len(s.waves))
	for i, v := range s.waves {
		rounded[i] = int16(1000 * v)
	}
	if err := data.WriteArray(nil, integers, rounded, s.n, s.cols); err != nil {
		t.Fatal(err)
	}
	cpu, err := devices.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	commands := [][]string{{floats, "--fit=1000"}, {integers, "--align=min", "--precision=32", "--fit=1000"}}
	var want []map[string][]byte
	for _, c := range commands {
		files, _, err := run(t, cpu[0], t.TempDir(), c...)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, files)
	}
	t.Setenv("SKEL_MEMORY", memory)
	for _, d := range devicestest.All(t) {
		for i, c := range commands {
			got, paged, err := run(t, d, t.TempDir(), c...)
			if err != nil || paged != !d.Native() || len(got) != len(want[i]) {
				t.Fatalf("%v, %s: on pages: %v, %d files, %v", d, c[0], paged, len(got), err)
			}
			for name, content := range want[i] {
				if !bytes.Equal(got[name], content) {
					t.Errorf("%v, %s: %s differs", d, c[0], name)
				}
			}
		}
	}
}

func TestStreamErrors(t *testing.T) {
	dir := t.TempDir()
	const n, samples, channels = 12_000, 10, 3
	name := filepath.Join(dir, "w.npy")
	waves := make([]float32, n*samples*channels)
	for i := range waves {
		waves[i] = float32(math.Sin(float64(i) * float64(i%7)))
	}
	write := func(shape ...int) []byte {
		t.Helper()
		if err := data.WriteArray(nil, name, waves, shape...); err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
	good, rank4 := write(n, samples, channels), write(n, samples, 1, channels)
	waves[(9000*samples+4)*channels+2] = float32(math.Inf(1))
	infinite := write(n, samples, channels)
	t.Setenv("SKEL_MEMORY", memory)
	for _, d := range devicestest.All(t) {
		for want, content := range map[string][]byte{
			"waveform 9000, sample 4, channel 2 (from 0) is +Inf": infinite,
			"an array of rank 4":           rank4,
			"it ends after 1439990":        good[:len(good)-10],
			`elements of type "<c4"`:       bytes.Replace(good, []byte("<f4"), []byte("<c4"), 1),
			"the file is damaged, or hold": append(bytes.Clone(good), 1),
		} {
			if err := os.WriteFile(name, content, 0o600); err != nil {
				t.Fatal(err)
			}
			out := filepath.Join(dir, "out")
			_, _, err := run(t, d, out, name)
			if !app.IsInputError(err) || !strings.HasPrefix(err.Error(), name+": ") ||
				!strings.Contains(err.Error(), want) {
				t.Errorf("%v: %v, want %q", d, err, want)
			}
			if left, err := os.ReadDir(out); len(left) > 0 || err != nil && !os.IsNotExist(err) {
				t.Errorf("%v: %d files are left, %v", d, len(left), err)
			}
		}
	}
}
