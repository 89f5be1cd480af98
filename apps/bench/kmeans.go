package bench

import (
	"bufio"
	_ "embed" // the script
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skelgo/skelgo/apps/kmeans/baseline"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
)

// Points is a set of points to cluster, and from where.
type Points struct {
	N, Dim, K int
	MaxIter   int
	Rows      []float32 // the first K are the start
}

// KDDLike makes points like those of the KDD Cup 1999 in number, dimension and
// shape: a few clusters of very unequal sizes, columns of very unequal scales.
func KDDLike(n int) Points {
	p := Points{N: n, Dim: 34, K: 5, MaxIter: 10, Rows: make([]float32, 0, n*34)}
	r := rand.New(rand.NewPCG(1999, 34))
	centres := make([]float32, 23*p.Dim)
	for v := range centres {
		centres[v] = r.Float32() * float32(1+v%p.Dim)
	}
	for range n {
		c := int(float64(23) * r.Float64() * r.Float64()) // the first are the largest
		for j := range p.Dim {
			p.Rows = append(p.Rows, centres[c*p.Dim+j]+float32(r.NormFloat64())*float32(1+j)*0.2)
		}
	}
	return p
}

// Lloyd is one program that runs Lloyd's iterations.
type Lloyd struct {
	Name  string
	Run   func() (Clustering, error)
	Close func() error
}

// Clustering is what one run of a Lloyd took and gave.
type Clustering struct {
	Time       time.Duration
	Iterations int
	Sizes      []int
}

// PerIteration is the time of one iteration.
func (c Clustering) PerIteration() time.Duration {
	return c.Time / time.Duration(max(1, c.Iterations))
}

// Lloyds prepares the programs that there are: skelgo on each of the devices,
// the raw twins on OpenCL device 0, and scikit-learn when python, the name of
// an interpreter that has it, is not empty.
func Lloyds(p Points, devs []*devices.Device, python string) (all []Lloyd, err error) {
	for _, d := range devs {
		l, err := openSkelgo(p, d)
		if err != nil {
			return all, err
		}
		all = append(all, l)
	}
	for _, open := range []func(Points) (Lloyd, error){openPaper, openOnDevice} {
		l, err := open(p)
		if err != nil {
			return all, err
		}
		all = append(all, l)
	}
	if python != "" {
		l, err := openScikit(p, python)
		if err != nil {
			return all, err
		}
		all = append(all, l)
	}
	return all, nil
}

// openSkelgo prepares package kmeans.
func openSkelgo(p Points, d *devices.Device) (Lloyd, error) {
	return Lloyd{}, errors.New("TODO")
}

func openPaper(p Points) (Lloyd, error) {
	twin, err := baseline.OpenPaper(0)
	if err != nil {
		return Lloyd{}, err
	}
	l := Lloyd{Name: "raw, as the paper", Close: twin.Close}
	if err := twin.Build(); err != nil {
		return l, err
	}
	l.Run = func() (Clustering, error) {
		start, centres := time.Now(), slices.Clone(p.Rows[:p.K*p.Dim])
		labels, iterations, err := twin.Run(centres, p.MaxIter)
		return Clustering{time.Since(start), iterations, sizes(labels, p.K)}, err
	}
	return l, twin.Upload(p.Rows, p.N, p.Dim, p.K)
}

func openOnDevice(p Points) (Lloyd, error) {
	twin, err := baseline.OpenOnDevice(0)
	if err != nil {
		return Lloyd{}, err
	}
	l := Lloyd{Name: "raw, on the device", Close: twin.Close}
	if err := twin.Build(); err != nil {
		return l, err
	}
	l.Run = func() (Clustering, error) {
		start := time.Now()
		iterations, err := twin.Run(p.Rows[:p.K*p.Dim], p.MaxIter)
		took := time.Since(start)
		if err != nil {
			return Clustering{}, err
		}
		labels, _, err := twin.Download()
		return Clustering{took, iterations, sizes(labels, p.K)}, err
	}
	return l, twin.Upload(p.Rows, p.N, p.Dim, p.K)
}

func sizes(labels []int32, k int) []int {
	s := make([]int, k)
	for _, l := range labels {
		s[l]++
	}
	return s
}

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
	c.Time = time.Duration(seconds * 1e9)
	if c.Iterations, err = strconv.Atoi(f[1]); err != nil {
		return c, err
	}
	for _, s := range f[2:] {
		n, err := strconv.Atoi(s)
		if err != nil {
			return c, err
		}
		c.Sizes = append(c.Sizes, n)
	}
	return c, nil
}
