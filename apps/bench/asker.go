package bench

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// asker is another program that measures on request: a request is a line on
// its standard input, the answer a line on its standard output. It stays, so
// that its samples can be taken between ours.
type asker struct {
	name  string
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
}

// startAsker starts a program.
func startAsker(name string, cmd *exec.Cmd) (*asker, error) {
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
	return &asker{name, cmd, in, bufio.NewScanner(out)}, nil
}

// ask gives the time of a call in the case that the request names.
func (a *asker) ask(request string) (time.Duration, error) {
	if _, err := io.WriteString(a.in, request+"\n"); err != nil {
		return 0, fmt.Errorf("%s, asked for %q: %w", a.name, request, err)
	}
	if !a.lines.Scan() {
		return 0, fmt.Errorf("%s ended when it was asked for %q", a.name, request)
	}
	m, err := parseMeasured(a.lines.Text())
	if err != nil {
		return 0, fmt.Errorf("%s, asked for %q: %w", a.name, request, err)
	}
	return m.median, nil
}

// sampler asks again and again.
func (a *asker) sampler(request string) func() (time.Duration, error) {
	return func() (time.Duration, error) { return a.ask(request) }
}

// close ends the program; of nil it does nothing.
func (a *asker) close() error {
	if a == nil {
		return nil
	}
	a.in.Close()
	if err := a.cmd.Wait(); err != nil {
		return fmt.Errorf("%s: %w", a.name, err)
	}
	return nil
}

// measured is a line of the yardstick program.
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
			return m, fmt.Errorf("the answer %q: %q is no time in microseconds", line, f[3+i])
		}
		*d = time.Duration(us * 1e3)
	}
	return m, nil
}
