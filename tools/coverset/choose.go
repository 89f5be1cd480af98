package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// executed returns the statements of each block that a profile marks as executed.
func executed(profile string) map[string]int {
	blocks := map[string]int{}
	for line := range strings.Lines(profile) {
		f := strings.Fields(line) // file:from,to statements count
		if len(f) != 3 || f[2] == "0" {
			continue
		}
		if n, err := strconv.Atoi(f[1]); err == nil {
			blocks[f[0]] = n
		}
	}
	return blocks
}

// size returns the number of statements in blocks.
func size(blocks map[string]int) (n int) {
	for _, s := range blocks {
		n += s
	}
	return n
}

// chosen is a subject that coverset chose: it adds statements that those before do not execute.
type chosen struct {
	measured
	adds, sum int
}

// choose returns subjects that together execute the given share of the statements of all: those that
// are always chosen, and then, in the order of their choice, the one that adds most statements for its time.
func choose(all []measured, share float64, always []string) []chosen {
	union := map[string]int{}
	for _, m := range all {
		maps.Copy(union, m.blocks)
	}
	want := int(share * float64(size(union)))
	have, built := map[string]int{}, map[string]bool{}
	var list []chosen
	for rest := slices.Clone(all); size(have) < want || len(list) < len(always); {
		best, most, adds := -1, -1.0, 0
		for i, m := range rest {
			n := 0
			for b, s := range m.blocks {
				if _, is := have[b]; !is {
					n += s
				}
			}
			if len(list) < len(always) {
				if m.name == always[len(list)] {
					best, most, adds = i, 0, n
				}
				continue
			}
			cost := max(m.time, 10*time.Millisecond)
			if !built[m.family] {
				cost += m.build
			}
			if rate := float64(n) / cost.Seconds(); rate > most {
				best, most, adds = i, rate, n
			}
		}
		maps.Copy(have, rest[best].blocks)
		built[rest[best].family] = true
		list = append(list, chosen{rest[best], adds, size(have)})
		rest = slices.Delete(rest, best, best+1)
	}
	return drop(list, always)
}

// drop removes subjects that the later ones make unnecessary, the most expensive first.
func drop(list []chosen, always []string) []chosen {
	all := list[len(list)-1].sum
	order := slices.Clone(list)
	slices.SortFunc(order, func(a, b chosen) int { return int(b.time - a.time) })
	for _, c := range order {
		if slices.Contains(always, c.name) {
			continue
		}
		i := slices.IndexFunc(list, func(d chosen) bool { return d.subject == c.subject })
		others := map[string]int{}
		for j, d := range list {
			if j != i {
				maps.Copy(others, d.blocks)
			}
		}
		if size(others) == all {
			list = slices.Delete(list, i, i+1)
		}
	}
	return list
}

// section returns the section of a kind of device: a line with the list, and the table of
// what each subject adds.
func section(all []measured, share float64, always []string) string {
	list := choose(all, share, always)
	union := map[string]int{}
	var total, sum time.Duration
	for _, m := range all {
		maps.Copy(union, m.blocks)
		total += m.time
	}
	names := make([]string, len(list))
	for i, c := range list {
		names[i], sum = c.name, sum+c.time
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", strings.Join(names, ","))
	fmt.Fprintf(&b, "# %d of %d subjects, %.0f of %.0f s, %.0f%% of the statements that all execute (%d)\n",
		len(list), len(all), sum.Seconds(), total.Seconds(), 100*share, size(union))
	for _, c := range list {
		fmt.Fprintf(&b, "# %-15s %6.1f s  adds %5d, %5d\n", c.name, c.time.Seconds(), c.adds, c.sum)
	}
	return b.String()
}

// header is the beginning of the file of lists.
const header = `# Subjects of the suite that make check runs on each kind of device, chosen by coverage.
# Written by tools/coverset, in an order in which each subject adds most statements of the
# library for its processor time; see docs/adr/0020-layers-of-tests.md.
`

// parse returns the sections of a file of lists by kind.
func parse(text string) map[string]string {
	sections := map[string]string{}
	for _, part := range strings.Split(text, "\n\n") {
		if name, body, is := strings.Cut(part, ": "); is && !strings.HasPrefix(name, "#") {
			sections[name] = strings.TrimSuffix(body, "\n") + "\n"
		}
	}
	return sections
}

// format returns the file of lists, with the kinds in order.
func format(sections map[string]string) string {
	text := header
	for _, k := range kinds {
		if s, is := sections[k.name]; is {
			text += "\n" + k.name + ": " + s
		}
	}
	return text
}
