package bench

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/vector"
)

func TestScaling(t *testing.T) {
	var out bytes.Buffer
	s := &benchmark.Suite{Context: t.Context(), MaxLog2: benchmark.Smallest, Rounds: 1}
	devs := devicestest.Processors(t, 3)
	s.Device = devs[0]
	if err := scale(s, &app.Env{Stdout: &out}, devs, regexp.MustCompile("")); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\nand: processor:1 (", "\nMap ", " a device        3 ", "\nReduce ", " all             2 ", "\nScan ",
		"heat, 256 steps of 32^2", "k-means, 64 x 32, k = 16", "\nSort, int32 ",
		"a copy of 8192 bytes from processor:0 to processor:1: ", "\ncopy over processor:0, processor:1, processor:2 ",
		"by 1:2:3 ", "\nprocessor:0 ",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	out.Reset()
	if err := scale(s, &app.Env{Stdout: &out}, devs, regexp.MustCompile("^Sort")); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.Contains(text, "\nSort, int32 ") || strings.Contains(text, "\nMap ") ||
		strings.Contains(text, "\ncopy over ") {
		t.Errorf("only the sort was asked for: %s", text)
	}
	if err := scale(s, &app.Env{Stdout: &out}, devs, regexp.MustCompile("^Nothing")); err == nil {
		t.Error("no error where no row matches")
	}
	for _, c := range []struct {
		Command
		want string
	}{
		{Command{Device: "cpu", Rounds: 1, Only: "("}, "--only (: error parsing regexp"},
		{Command{Device: "cpu", Rounds: 1}, "--scaling needs several devices (such as -d cuda:all); -d cpu is one"},
	} {
		c.Scaling = true
		if _, err := bench(t, c.Command); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

func TestBusiest(t *testing.T) {
	devs := devicestest.Processors(t, 3)
	block := vector.Block(devs...)
	for _, c := range []struct {
		to   vector.Distribution
		want int
	}{
		{block, 0},
		{vector.Copy(devs...), 6000},    // each sends 3000 to two others and receives 6000
		{vector.Single(devs[0]), 6000},  // it receives the parts of the others
		{vector.Single(devs[2]), 6000},  //
		{block.Weighted(1, 1, 0), 3000}, // the last sends its whole part
		{vector.Block(devs...).Weighted(0, 1, 0), 6000},
	} {
		if got := busiest(block, c.to, 9000); got < c.want-100 || got > c.want+100 { // parts are of whole grains
			t.Errorf("to %v: %d elements, want %d", c.to, got, c.want)
		}
	}
}
