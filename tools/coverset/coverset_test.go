package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func run1(name string, seconds int, blocks ...string) measured {
	m := measured{subject: subject{"f", name}, time: time.Duration(seconds) * time.Second, blocks: map[string]int{}}
	for _, b := range blocks {
		m.blocks[b] = 10
	}
	return m
}

func namesOf(list []chosen) (names []string) {
	for _, c := range list {
		names = append(names, c.name)
	}
	return names
}

// TestChoose checks that dear subjects which add nothing are left out.
func TestChoose(t *testing.T) {
	all := []measured{
		run1("dear", 100, "a", "b", "c"), run1("cheap", 1, "a", "b"), run1("other", 1, "c", "d"), run1("late", 3, "d", "e"),
	}
	for _, c := range []struct {
		share float64
		want  []string
	}{
		{1, []string{"cheap", "other", "late"}}, {0.8, []string{"cheap", "other"}}, {0.4, []string{"cheap"}},
	} {
		if got := namesOf(choose(all, c.share, nil)); !slices.Equal(got, c.want) {
			t.Errorf("share %g: %v, want %v", c.share, got, c.want)
		}
	}
	// The greedy choice takes small before large, which contains it.
	nested := []measured{run1("small", 1, "a", "b", "c"), run1("large", 4, "a", "b", "c", "d", "e")}
	if got := namesOf(choose(nested, 1, nil)); !slices.Equal(got, []string{"large"}) {
		t.Errorf("chose %v, but large contains small", got)
	}
}

// TestFamilies checks that a family which has to be built comes after those that are built.
func TestFamilies(t *testing.T) {
	built, other := run1("built", 2, "a", "b"), run1("other", 1, "c", "d", "e")
	other.family, other.build = "g", 10*time.Second
	second := run1("second", 1, "f")
	second.family, second.build = "g", 10*time.Second
	all := []measured{second, other, built}
	if got, want := namesOf(choose(all, 1, nil)), []string{"built", "other", "second"}; !slices.Equal(got, want) {
		t.Errorf("chose %v, want %v", got, want)
	}
}

// TestAlways checks that a subject which is always chosen stays, even if it adds nothing.
func TestAlways(t *testing.T) {
	all := []measured{run1("small", 1, "a"), run1("kernels", 9, "a"), run1("large", 5, "a", "b")}
	if got := namesOf(choose(all, 1, []string{"kernels"})); !slices.Equal(got, []string{"kernels", "large"}) {
		t.Errorf("chose %v", got)
	}
}

func TestProfile(t *testing.T) {
	got := executed("mode: set\na.go:1.2,3.4 5 1\na.go:4.2,5.4 7 0\n")
	if len(got) != 1 || got["a.go:1.2,3.4"] != 5 {
		t.Error(got)
	}
}

// TestFile checks that sections survive when others are measured again.
func TestFile(t *testing.T) {
	text := format(map[string]string{"cpu": section([]measured{run1("A", 1, "a")}, 1, nil), "race": "B,C\n# x\n"})
	if again := format(parse(text)); again != text {
		t.Errorf("%q became %q", text, again)
	}
}

// TestStale checks that the committed lists name every kind of device, and only subjects that exist.
func TestStale(t *testing.T) {
	subjects, err := subjectsOf(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join("..", "..", listFile))
	if err != nil {
		t.Fatal(err)
	}
	sections := parse(string(text))
	for _, k := range kinds {
		for _, name := range k.always {
			if !slices.ContainsFunc(subjects, func(s subject) bool { return s.name == name }) {
				t.Errorf("%s always has %s, which is no subject", k.name, name)
			}
		}
		list, _, _ := strings.Cut(sections[k.name], "\n")
		if list == "" {
			t.Errorf("no subjects for %s; run cd tools && go run ./coverset", k.name)
		}
		for _, name := range strings.Split(list, ",") {
			if !slices.ContainsFunc(subjects, func(s subject) bool { return s.name == name }) {
				t.Errorf("%s: no subject is called %q; run cd tools && go run ./coverset", k.name, name)
			}
		}
	}
}
