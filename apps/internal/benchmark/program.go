package benchmark

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Program is another program that measures on request. A request is a line on its
// standard input, and the answer is a line on its standard output. The program keeps
// running, so that its samples can be taken between those of the row.
type Program struct {
	name  string
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
}

// StartProgram starts a program. Errors contain the name.
func StartProgram(name string, cmd *exec.Cmd) (*Program, error) {
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &Program{name, cmd, in, bufio.NewScanner(out)}, nil
}

// ask returns the time of a call in the case that the request names.
func (p *Program) ask(request string) (time.Duration, error) {
	if _, err := io.WriteString(p.in, request+"\n"); err != nil {
		return 0, fmt.Errorf("%s, asked for %q: %w", p.name, request, err)
	}
	if !p.lines.Scan() {
		return 0, fmt.Errorf("%s ended when asked for %q", p.name, request)
	}
	m, err := parseMeasured(p.lines.Text())
	if err != nil {
		return 0, fmt.Errorf("%s, asked for %q: %w", p.name, request, err)
	}
	return m.median, nil
}

// Sampler returns a function that sends the request at each call.
func (p *Program) Sampler(request string) func() (time.Duration, error) {
	return func() (time.Duration, error) { return p.ask(request) }
}

// Close ends the program. It does nothing if p is nil.
func (p *Program) Close() error {
	if p == nil {
		return nil
	}
	p.in.Close()
	if err := p.cmd.Wait(); err != nil {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	return nil
}

// measured is an answer of a program.
type measured struct {
	name, kind     string
	n              int64
	median, q1, q3 time.Duration
}

// parseMeasured reads "name type n median q1 q3", with tabs between and the
// times in microseconds, or "error" and what is wrong.
func parseMeasured(line string) (m measured, err error) {
	f := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
	if f[0] == "error" && len(f) > 1 {
		return m, fmt.Errorf("%s", strings.Join(f[1:], " "))
	}
	if len(f) != 6 {
		return m, fmt.Errorf("the answer %q has %d columns, not 6", line, len(f))
	}
	m.name, m.kind = f[0], f[1]
	if m.n, err = strconv.ParseInt(f[2], 10, 64); err != nil {
		return m, fmt.Errorf("the answer %q: %w", line, err)
	}
	for i, d := range []*time.Duration{&m.median, &m.q1, &m.q3} {
		us, err := strconv.ParseFloat(f[3+i], 64)
		if err != nil || !(us > 0) || us > 1e12 {
			return m, fmt.Errorf("the answer %q: %q is not a time in microseconds", line, f[3+i])
		}
		*d = time.Duration(us * 1e3)
	}
	return m, nil
}

// AddPython adds a yardstick that a script measures, if there is a Python with the module. The
// arguments of the script are the module, args, and the number of the GPU. It answers the request
// with the time of a call, as [Program] expects.
func (c *Case) AddPython(s *Suite, name, script, request, module string, args ...any) error {
	python := FindPython(s.Context, module)
	if python == "" {
		return nil
	}
	gpu, cuda := strings.CutPrefix(s.Device.ID(), "cuda:")
	if !cuda {
		gpu = "0"
	}
	list := []string{"-c", script, module}
	for _, a := range append(args, gpu) {
		list = append(list, fmt.Sprint(a))
	}
	cmd := Python(s.Context, python, list...)
	cmd.Stderr = os.Stderr
	program, err := StartProgram(name, cmd)
	if err != nil {
		return err
	}
	c.Close = append(c.Close, program.Close)
	c.Yardsticks = append(c.Yardsticks, Yardstick{Name: name, Sample: program.Sampler(request)})
	return nil
}

// FindPython returns the name of a Python interpreter that has a module, or "" if there
// is none. Start it with [Python].
func FindPython(ctx context.Context, module string) string {
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if Python(ctx, name, "-c", "import "+module).Run() == nil {
			return name
		}
	}
	return ""
}

// Python returns a command of a Python interpreter. A script that follows -c does not find modules in the
// working directory: a file sklearn.py there must not run.
func Python(ctx context.Context, name string, args ...string) *exec.Cmd {
	args = slices.Clone(args)
	if len(args) > 1 && args[0] == "-c" { // -P does the same, but only Python 3.11 has it
		args[1] = "import sys; sys.path = [p for p in sys.path if p]\n" + args[1]
	}
	return exec.CommandContext(ctx, name, args...)
}
