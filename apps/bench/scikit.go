package bench

import (
	"bufio"
	_ "embed" // the script
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/skelgo/skelgo/devices/driver"
)

//go:embed lloyd.py
var lloydScript string

// openScikit starts lloyd.py.
func openScikit(p Points, python string) (Lloyd, error) {
	file, err := os.CreateTemp("", "points")
	if err != nil {
		return Lloyd{}, err
	}
	defer file.Close()
	if _, err := file.Write(driver.Bytes(p.Rows)); err != nil {
		os.Remove(file.Name())
		return Lloyd{}, err
	}
	cmd := exec.Command(python, "-c", lloydScript, file.Name(),
		strconv.Itoa(p.N), strconv.Itoa(p.Dim), strconv.Itoa(p.K), strconv.Itoa(p.MaxIter))
	cmd.Stderr = os.Stderr
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	for _, err := range []error{err1, err2, cmd.Start()} {
		if err != nil {
			os.Remove(file.Name())
			return Lloyd{}, fmt.Errorf("%s: %w", python, err)
		}
	}
	lines := bufio.NewScanner(out)
	return Lloyd{
		Name: "scikit-learn",
		Run: func() (Clustering, error) {
			if _, err := io.WriteString(in, "run\n"); err != nil {
				return Clustering{}, err
			}
			if !lines.Scan() {
				return Clustering{}, fmt.Errorf("%s ended; does it have scikit-learn? (Debian: python3-sklearn)", python)
			}
			return parseClustering(lines.Text())
		},
		Close: func() error {
			defer os.Remove(file.Name())
			in.Close()
			return cmd.Wait()
		},
	}, nil
}

// parseClustering reads a line that lloyd.py prints.
func parseClustering(line string) (c Clustering, err error) {
	f := strings.Fields(line)
	if len(f) < 2 {
		return c, fmt.Errorf("lloyd.py printed %q", line)
	}
	seconds, err := strconv.ParseFloat(f[0], 64)
	if err != nil {
		return c, err
	}
	if c.Iterations, err = strconv.Atoi(f[1]); err != nil {
		return c, err
	}
	c.PerIteration = time.Duration(seconds / float64(max(1, c.Iterations)) * 1e9)
	for _, s := range f[2:] {
		n, err := strconv.Atoi(s)
		if err != nil {
			return c, err
		}
		c.Sizes = append(c.Sizes, n)
	}
	return c, nil
}
