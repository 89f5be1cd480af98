package benchmark

import (
	"slices"
	"time"
)

// Result is what was measured of a row.
type Result struct {
	Name        string       `json:"name"`
	Skipped     string       `json:"skipped,omitempty"` // why nothing was measured
	Failed      string       `json:"failed,omitempty"`  // what went wrong
	Bytes       int64        `json:"bytes,omitempty"`
	Ops         float64      `json:"ops,omitempty"`
	Floor       Seconds      `json:"floor,omitempty"` // predicted: no call can be faster
	Time        Times        `json:"time"`
	Allocs      *float64     `json:"allocs,omitempty"` // a call
	Most        Seconds      `json:"most,omitempty"`
	MostAllocs  int          `json:"most_allocs,omitempty"`
	Comparisons []Comparison `json:"comparisons,omitempty"`
	Note        string       `json:"note,omitempty"`
}

// Comparison is a row beside one of its yardsticks.
type Comparison struct {
	Yardstick string  `json:"yardstick"`
	Time      Times   `json:"time"`
	Ratio     float64 `json:"ratio"`          // skelgo's speed in that of the yardstick
	Goal      float64 `json:"goal,omitempty"` // what the ratio should be at least
}

// Seconds is a duration in JSON.
type Seconds float64

func seconds(d time.Duration) Seconds { return Seconds(d.Seconds()) }

// Times are what the rounds took, by call, in the order in which they ran.
type Times []Seconds

// quantile is the value below which the part q of the times lies, between
// neighbours in proportion; 0 of none.
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

// Median is the time in the middle.
func (t Times) Median() Seconds { return t.Quantile(0.5) }

// Mark says whether goals are met.
type Mark string

// The marks of the table.
const (
	None  Mark = ""      // nothing was asked
	Ok    Mark = "ok"    // the goal is met
	Short Mark = "SHORT" // it is not
)

func mark(ok bool) Mark {
	if ok {
		return Ok
	}
	return Short
}

// Mark says whether the ratio is what it should be.
func (c Comparison) Mark() Mark {
	if c.Goal == 0 {
		return None
	}
	return mark(c.Ratio >= c.Goal)
}

// Mark says whether a call is as fast, and makes as little garbage, as it
// should without regard to any yardstick.
func (r *Result) Mark() Mark {
	if r.Skipped != "" || r.Failed != "" || r.Most == 0 && r.MostAllocs == 0 {
		return None
	}
	fast := r.Most == 0 || r.Time.Median() <= r.Most
	clean := r.MostAllocs == 0 || r.Allocs == nil || *r.Allocs <= float64(r.MostAllocs)
	return mark(fast && clean)
}

// Bandwidth is in bytes a second; 0 where it says nothing.
func (r *Result) Bandwidth() float64 { return PerSecond(float64(r.Bytes), r.Time) }

// PerSecond returns an amount divided by the median of the times; 0 if there is none.
func PerSecond(amount float64, t Times) float64 {
	if m := t.Median(); m > 0 {
		return amount / float64(m)
	}
	return 0
}

// compare sets the row's times beside those of a yardstick.
func compare(r *Row, yardstick string, ours, theirs Times) Comparison {
	c := Comparison{Yardstick: yardstick, Time: theirs, Goal: r.goal(yardstick)}
	if m := ours.Median(); m > 0 {
		c.Ratio = float64(theirs.Median() / m)
	}
	return c
}
