package columnar

import (
	"path/filepath"
	"testing"
)

// TestOtherWriters reads files of Polars and of Arrow's JavaScript library, which testdata/write.js wrote.
func TestOtherWriters(t *testing.T) {
	const n = 300
	halves, integers, bytes := make([]float64, n), make([]int32, n), make([]uint8, n)
	maybe, null := make([]float32, n), make([]bool, n)
	for i := range n {
		halves[i], integers[i], bytes[i] = 0.5*float64(i), int32(i-150), uint8(i%100)
		maybe[i], null[i] = 0.25*float32(i), i%7 == 6
	}
	names, err := filepath.Glob("testdata/*.*")
	ok(t, err)
	read := 0
	for _, name := range names {
		if filepath.Ext(name) == ".js" {
			continue
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			testColumn(t, name, "halves", halves)
			testColumn(t, name, "integers", integers)
			testColumn(t, name, "bytes", bytes)
			testNaN(t, name, "maybe", null, maybe)
		})
		read++
	}
	if read != 6 {
		t.Errorf("%d files, want 6", read)
	}
}
