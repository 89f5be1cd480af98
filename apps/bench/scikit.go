package bench

import (
	"bufio"
	"context"
	_ "embed" // the script
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/skelgo/skelgo/apps/internal/atomicfile"
	"github.com/skelgo/skelgo/devices/driver"
)

//go:embed lloyd.py
var lloydScript string

// openScikit starts lloyd.py.
func openScikit(ctx context.Context, p cloud, python string) (lloyd, error) {
	file, err := os.CreateTemp("", "points")
	if err != nil {
		return lloyd{}, err
	}
	defer file.Close()
	atomicfile.Temporary(file.Name())
	if _, err := file.Write(driver.Bytes(p.rows)); err != nil {
		os.Remove(file.Name())
		return lloyd{}, err
	}
	cmd := exec.CommandContext(ctx, python, "-c", lloydScript, file.Name(),
		strconv.Itoa(p.n), strconv.Itoa(p.dim), strconv.Itoa(p.k), strconv.Itoa(iterations))
	cmd.Stderr = os.Stderr
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	for _, err := range []error{err1, err2, cmd.Start()} {
		if err != nil {
			os.Remove(file.Name())
			return lloyd{}, fmt.Errorf("%s: %w", python, err)
		}
	}
	lines := bufio.NewScanner(out)
	return lloyd{
		name: "scikit",
		run: func() (clustering, error) {
			if _, err := io.WriteString(in, "run\n"); err != nil {
				return clustering{}, err
			}
			if !lines.Scan() {
				return clustering{}, fmt.Errorf("%s ended; does it have scikit-learn? (Debian: python3-sklearn)", python)
			}
			return parseClustering(lines.Text())
		},
		close: func() error {
			defer os.Remove(file.Name())
			in.Close()
			return cmd.Wait()
		},
	}, nil
}

// parseClustering reads a line that lloyd.py prints.
func parseClustering(line string) (c clustering, err error) {
	f := strings.Fields(line)
	if len(f) < 2 {
		return c, fmt.Errorf("lloyd.py printed %q", line)
	}
	seconds, err := strconv.ParseFloat(f[0], 64)
	if err != nil {
		return c, err
	}
	if c.iterations, err = strconv.Atoi(f[1]); err != nil {
		return c, err
	}
	c.perIteration = time.Duration(seconds / float64(max(1, c.iterations)) * 1e9)
	for _, s := range f[2:] {
		n, err := strconv.Atoi(s)
		if err != nil {
			return c, err
		}
		c.sizes = append(c.sizes, n)
	}
	return c, nil
}
