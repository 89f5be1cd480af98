package scale

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/skelgo/skelgo/apps/internal/app"
)

// watch keeps the time limit of a job, and on an interrupt prints the best scale so far.
type watch struct {
	job   *job
	env   *app.Env
	begin time.Time

	mu   sync.Mutex
	best *Result
}

// keep is Options.Found.
func (w *watch) keep(r *Result) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.best = r
}

// left returns what is left of the time limit. It is 0 only if there is no limit.
func (w *watch) left() time.Duration {
	if w.job.TimeLimit == 0 {
		return 0
	}
	return max(1, w.job.TimeLimit-time.Since(w.begin))
}

// inTime returns the error of what an option asks for. If the time limit ended it, inTime prints a note and
// returns nil.
func (w *watch) inTime(option string, err error) error {
	switch {
	case errors.Is(err, ErrTimeLimit):
		w.env.Notef("%s did not end within --time-limit %v and is left out", option, w.job.TimeLimit)
		return nil
	case err != nil:
		return fmt.Errorf("%s: %w", option, err)
	}
	return nil
}

// until prints the best scale so far when ctx ends, unless stop is called before. A batch of candidates
// cannot be stopped, so it does not wait for one. Stop waits for a message that is being printed.
func (w *watch) until(ctx context.Context) (stop func()) {
	printed := make(chan struct{})
	pending := context.AfterFunc(ctx, func() {
		defer close(printed)
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.best != nil {
			w.env.Notef("the best scale so far has cost %v; %s prints its report", w.best.Cost, w.again())
		}
	})
	return func() {
		if !pending() {
			<-printed
		}
	}
}

// again returns the options that evaluate the best scale so far, and those of the job that they replace.
func (w *watch) again() string {
	var weights []string
	for _, a := range w.best.Model.Weights {
		weights = append(weights, strconv.FormatFloat(a, 'g', -1, 64))
	}
	text := "--evaluate=" + strings.Join(weights, ",")
	if w.job.Unordered {
		var groups []string
		for _, g := range w.best.Model.Groups {
			groups = append(groups, commas.Replace(g))
		}
		text = shellWord("--order="+strings.Join(groups, ",")) + " " + text
	}
	var replaced []string
	for option, set := range map[string]bool{
		"--unordered": w.job.Unordered, "--start": w.job.Start != nil, "--integer": w.job.Integer != "",
	} {
		if set {
			replaced = append(replaced, option)
		}
	}
	if len(replaced) > 0 {
		slices.Sort(replaced)
		text += " in place of " + strings.Join(replaced, " and ")
	}
	return text
}

// commas escapes names in a list.
var commas = strings.NewReplacer(`\`, `\\`, ",", `\,`)

// shellWord quotes text for a shell, if it needs that.
func shellWord(text string) string {
	plain := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_=,.", r)
	}
	if strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
