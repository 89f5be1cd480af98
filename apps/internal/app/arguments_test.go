package app

import (
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
)

type testCommands struct {
	Run struct {
		Files []string `arg:"" optional:""`
		K     *int     `short:"k" name:"clusters"`
		Small int8
		Seed  uint64
		Rate  float64
		Label string `short:"o"`
		Limit time.Duration
		JSON  bool   `name:"json" short:"j"`
		Expr  string `sign:""`
	} `cmd:""`
	Group struct {
		First struct {
			Rate float64
			File string `arg:""`
		} `cmd:"" default:"withargs"`
		Second struct {
			N int
		} `cmd:""`
	} `cmd:""`
}

func (testCommands) parser(t *testing.T) *kong.Kong {
	t.Helper()
	p, err := kong.New(&testCommands{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestArguments(t *testing.T) {
	p := testCommands{}.parser(t)
	for _, test := range []struct{ line, want string }{
		{"run -k -1", "run --clusters=-1"},
		{"run -k-1 a", "run --clusters=-1 a"},
		{"run -k=3", "run --clusters=3"},
		{"run --clusters -3", "run --clusters=-3"},
		{"run --clusters=010", "run --clusters=10"},
		{"run --rate -.5 --seed 7", "run --rate=-.5 --seed=7"},
		{"run --rate 1e-3", "run --rate=1e-3"},
		{"run -j -o -", "run -j --label=-"},
		{"run -o -5", "run --label=-5"},
		{"run -- -k two", "run -- -k two"},
		{"run --unknown -z", "run --unknown -z"},     // for the parser
		{"group --rate -.5 a", "group --rate=-.5 a"}, // for the default command
		{"group --rate two", "error: --rate two: it must be a decimal number"},
		{"group second --n -1", "group second --n=-1"},
		{"run -k two", "error: -k two: it must be a whole number"},
		{"run -k 1.5", "error: -k 1.5: it must be a whole number"},
		{"run -k 0x10", "error: -k 0x10: it must be a whole number"},
		{"run --clusters=1_000", "error: --clusters 1_000: it must be a whole number"},
		{"run -k 99999999999999999999", "error: -k 99999999999999999999: the number is too large"},
		{"run --small 200", "error: --small 200: the number is too large"},
		{"run --limit 1m30s --seed 1", "run --limit=1m30s --seed=1"},
		{"run --limit 90", "error: --limit 90: it must be a duration such as 90s or 10m"},
		{"run --limit soon", "error: --limit soon: it must be a duration such as 90s or 10m"},
		{"run --seed -1", "error: --seed -1: it cannot be negative"},
		{"run --expr -x^2 --expr -.5:1:2", "run --expr=-x^2 --expr=-.5:1:2"},
		{"run --expr --x^2", "run --expr=--x^2"},
		{"run --expr --json", "error: --expr: the value is missing before --json"},
		{"run --expr -j", "error: --expr: the value is missing before -j"},
		{"run --seed -x", "error: --seed: the value is missing before -x"},
		{"run --seed 18446744073709551616", "error: --seed 18446744073709551616: the number is too large"},
		{"run --rate 0x1p-3", "error: --rate 0x1p-3: it must be a decimal number"},
		{"run --rate 1e999", "error: --rate 1e999: it is too large"},
		{"run -k", "error: -k: the value is missing"},
		{"run --label --json", "error: --label: the value is missing before --json"},
		{"run --label=", "error: --label: the value is empty"},
	} {
		list, err := Arguments(p.Model, strings.Fields(test.line))
		got := strings.Join(list, " ")
		if err != nil {
			got = "error: " + err.Error()
			if ExitCode(err) != ExitInput {
				t.Errorf("%s: exit code %d", test.line, ExitCode(err))
			}
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.line, got, test.want)
		}
	}
	if _, err := Arguments(p.Model, []string{"run", ""}); err == nil || err.Error() != "an argument is empty" {
		t.Errorf("an empty argument: %v", err)
	}
}
