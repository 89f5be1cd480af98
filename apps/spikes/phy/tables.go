package phy

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"
)

// Unit is what the tables say about a unit.
type Unit struct {
	Size      int
	Channel   int
	Amplitude float64
	Good      bool // for the column KSLabel, which Phy and SpikeInterface know from KiloSort
	// Measures are more columns, the same ones for all units. NaN is an empty field.
	Measures []Measure
}

// Measure is a number for the column called Name.
type Measure struct {
	Name  string
	Value float64
}

// label returns KiloSort's word for the quality of a unit.
func (u *Unit) label() string {
	if u.Good {
		return "good"
	}
	return "mua" // multi-unit activity
}

// tables writes cluster_group.tsv, in which a person's decisions are kept,
// cluster_KSLabel.tsv, cluster_quality.tsv, whose columns Phy shows, and cluster_info.tsv, which
// SpikeInterface reads.
func (f *Folder) tables(w *writer) {
	var measures []string
	if len(f.Table) > 0 {
		for _, m := range f.Table[0].Measures {
			measures = append(measures, m.Name)
		}
	}
	seconds := 0.0
	if n := len(f.Times); n > 0 {
		seconds = float64(f.Times[n-1]-f.Times[0]) / f.Recording.Rate
	}
	w.table("cluster_group.tsv", []string{"cluster_id", "group"}, func(id int, _ *Unit) []string {
		return []string{strconv.Itoa(id), "unsorted"}
	})
	w.table("cluster_KSLabel.tsv", []string{"cluster_id", "KSLabel"}, func(id int, u *Unit) []string {
		return []string{strconv.Itoa(id), u.label()}
	})
	w.table("cluster_quality.tsv", append([]string{"cluster_id"}, measures...), func(id int, u *Unit) []string {
		return append([]string{strconv.Itoa(id)}, u.measures()...)
	})
	header := append([]string{
		"cluster_id", "KSLabel", "amp", "ch", "depth", "fr", "group", "n_spikes", "sh",
	}, measures...)
	w.table("cluster_info.tsv", header, func(id int, u *Unit) []string {
		depth, rate := pitch*float64(u.Channel), math.NaN()
		if f.Positions != nil {
			depth = f.Positions[u.Channel][1]
		}
		if seconds > 0 {
			rate = float64(u.Size) / seconds
		}
		return append([]string{
			strconv.Itoa(id), u.label(), decimal(u.Amplitude), strconv.Itoa(u.Channel), decimal(depth), decimal(rate),
			"unsorted", strconv.Itoa(u.Size), "0",
		}, u.measures()...)
	})
}

func (u *Unit) measures() (fields []string) {
	for _, m := range u.Measures {
		fields = append(fields, decimal(m.Value))
	}
	return fields
}

// decimal formats a number; NaN and infinities are empty.
func decimal(v float64) string {
	if v-v != 0 {
		return ""
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// table writes a table with a row for each unit.
func (w *writer) table(name string, header []string, row func(id int, u *Unit) []string) {
	w.text(name, func(out *bufio.Writer) {
		fmt.Fprintln(out, strings.Join(header, "\t"))
		for id := range w.f.Table {
			fmt.Fprintln(out, strings.Join(row(id, &w.f.Table[id]), "\t"))
		}
	})
}

// text writes a text file.
func (w *writer) text(name string, fill func(*bufio.Writer)) {
	if w.err == nil {
		w.err = w.files.Write(w.name(name), func(file io.Writer) error {
			out := bufio.NewWriter(file)
			fill(out)
			return out.Flush()
		})
	}
}

// params writes params.py, which Phy opens.
func (f *Folder) params(w *writer) {
	r := f.Recording
	source, kind := "[]", r.Type
	if r.File != "" {
		name := r.File
		if absolute, err := filepath.Abs(name); err == nil {
			name = absolute
		}
		source = strconv.QuoteToASCII(name)
	}
	if kind == "" {
		kind = "int16"
	}
	filtered := "False"
	if r.Filtered {
		filtered = "True"
	}
	w.text("params.py", func(out *bufio.Writer) {
		fmt.Fprintf(out, "dat_path = %s\nn_channels_dat = %d\ndtype = '%s'\noffset = %d\nsample_rate = %s\n"+
			"hp_filtered = %s\n", source, max(r.Channels, f.Channels), kind, r.Offset,
			strconv.FormatFloat(r.Rate, 'f', -1, 64), filtered)
	})
}
