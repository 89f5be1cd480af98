package benchmark

import (
	"slices"
	"time"
)

// Result is the result of measuring a row.
type Result struct {
	Name        string       `json:"name"`
	Skipped     string       `json:"skipped,omitempty"` // the reason why nothing was measured
	Failed      string       `json:"failed,omitempty"`  // what went wrong
	Bytes       int64        `json:"bytes,omitempty"`
	Ops         float64      `json:"ops,omitempty"`
	Floor       Seconds      `json:"floor,omitempty"` // predicted: the minimum time of a call
	Time        Times        `json:"time"`
	Allocs      *float64     `json:"allocs,omitempty"` // per call
	MaxTime     Seconds      `json:"most,omitempty"`
	MaxAllocs   int          `json:"most_allocs,omitempty"`
	Comparisons []Comparison `json:"comparisons,omitempty"`
	Note        string       `json:"note,omitempty"`
}

// Comparison compares a row with one of its yardsticks.
type Comparison struct {
	Yardstick string  `json:"yardstick"`
	Time      Times   `json:"time"`
	Ratio     float64 `json:"ratio"`          // skelgo's speed over that of the yardstick
	Goal      float64 `json:"goal,omitempty"` // the least ratio that is wanted
}

// Seconds is a duration in JSON.
type Seconds float64

func seconds(d time.Duration) Seconds { return Seconds(d.Seconds()) }

// Times are the times of a call in each round, in order.
type Times []Seconds

// Quantile returns the value below which the share q of the times lies,
// interpolated between neighbours, or 0 if there are no times.
func (t Times) Quantile(q float64) Seconds {
	if len(t) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(t))
	at := q * float64(len(t)-1)
	i := int(at)
	part := Seconds(at - float64(i))
	return sorted[i] + part*(sorted[min(i+1, len(t)-1)]-sorted[i])
}

// Median returns the median, or 0 if there are no times.
func (t Times) Median() Seconds { return t.Quantile(0.5) }

// Mark reports whether a goal is met.
type Mark string

// The marks of the table.
const (
	NoGoal Mark = ""      // there is no goal
	Met    Mark = "ok"    // the goal is met
	Missed Mark = "SHORT" // the goal is missed
)

func mark(ok bool) Mark {
	if ok {
		return Met
	}
	return Missed
}

// Mark reports whether the ratio meets the goal.
func (c Comparison) Mark() Mark {
	if c.Goal == 0 {
		return NoGoal
	}
	return mark(c.Ratio >= c.Goal)
}

// Mark reports whether the time and the allocations of a call meet those goals that
// need no yardstick.
func (r *Result) Mark() Mark {
	if r.Skipped != "" || r.Failed != "" || r.MaxTime == 0 && r.MaxAllocs == 0 {
		return NoGoal
	}
	fast := r.MaxTime == 0 || r.Time.Median() <= r.MaxTime
	clean := r.MaxAllocs == 0 || r.Allocs == nil || *r.Allocs <= float64(r.MaxAllocs)
	return mark(fast && clean)
}

// Bandwidth returns bytes per second, or 0 if the row has no bytes.
func (r *Result) Bandwidth() float64 { return PerSecond(float64(r.Bytes), r.Time) }

// PerSecond returns an amount divided by the median of the times, or 0 if there are none.
func PerSecond(amount float64, t Times) float64 {
	if m := t.Median(); m > 0 {
		return amount / float64(m)
	}
	return 0
}

// compare compares the row's times with those of a yardstick.
func compare(r *Row, yardstick string, ours, theirs Times) Comparison {
	c := Comparison{Yardstick: yardstick, Time: theirs, Goal: r.goal(yardstick)}
	if m := ours.Median(); m > 0 {
		c.Ratio = float64(theirs.Median() / m)
	}
	return c
}
