package data

import (
	"iter"
	"slices"
)

// Skipped holds the positions of the rows of a file that are not in its table.
type Skipped map[int]bool

// SkipNonFinite removes rows with NaN or infinities from the table, and returns their positions.
func (t *Table[T]) SkipNonFinite() Skipped {
	skipped := Skipped{}
	kept := t.Data[:0]
	for i := range t.Rows {
		row := t.Row(i)
		if slices.ContainsFunc(row, func(v T) bool { return v-v != 0 }) {
			skipped[i] = true
			continue
		}
		kept = append(kept, row...)
	}
	t.Rows, t.Data = t.Rows-len(skipped), kept
	return skipped
}

// Spread returns rows of cols elements each with a row of gaps in the place of each row that was skipped. If
// there is none, it returns rows.
func Spread[E any](rows []E, cols int, skipped Skipped, gap E) []E {
	if len(skipped) == 0 {
		return rows
	}
	gaps := slices.Repeat([]E{gap}, cols)
	all := make([]E, 0, len(rows)+len(skipped)*cols)
	for at := 0; len(all) < cap(all); {
		if cols > 0 && skipped[len(all)/cols] {
			all = append(all, gaps...)
			continue
		}
		all = append(all, rows[at:at+cols]...)
		at += cols
	}
	return all
}

// SpreadBlocks is Spread for rows in blocks, each of which holds complete rows. A block is valid until the next one.
func SpreadBlocks[E any](blocks iter.Seq2[[]E, error], cols int, skipped Skipped, gap E) iter.Seq2[[]E, error] {
	if len(skipped) == 0 {
		return blocks
	}
	return func(yield func([]E, error) bool) {
		gaps, row := slices.Repeat([]E{gap}, cols), 0
		var all []E
		fill := func() {
			for ; skipped[row]; row++ {
				all = append(all, gaps...)
			}
		}
		for block, err := range blocks {
			if err != nil {
				yield(nil, err)
				return
			}
			all = all[:0]
			for at := 0; at < len(block); at += cols {
				fill()
				all = append(all, block[at:at+cols]...)
				row++
			}
			if !yield(all, nil) {
				return
			}
		}
		all = all[:0]
		if fill(); len(all) > 0 {
			yield(all, nil)
		}
	}
}

// Keep returns the elements of a list with one for each row of the file, but for rows that were skipped.
func Keep[E any](list []E, skipped Skipped) []E {
	if len(skipped) == 0 {
		return list
	}
	kept := make([]E, 0, len(list))
	for i, v := range list {
		if !skipped[i] {
			kept = append(kept, v)
		}
	}
	return kept
}
