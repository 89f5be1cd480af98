package phy

import (
	"bytes"
	"io"
	"math"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"

	"github.com/skelgo/skelgo/apps/internal/data/output"
)

// noise is the cluster of outliers in the files of KlustaKwik; units follow it.
const noise = 1

// fullScale is the largest feature in the files of KlustaKwik, whose readers want whole
// numbers.
const fullScale = 1 << 15

// WriteKlusta adds name.fet.1 and name.clu.1, the files of KlustaKwik, to a set of files. Scores
// has cols features for each spike, which are scaled to whole numbers, and time is the last
// feature. Outliers are in cluster 1, and unit u is cluster u+2.
func WriteKlusta(
	files *output.Set, dir, name string, scores []float64, cols int, times []int64, units []int32, g int,
	outlier func(spike int) bool,
) error {
	scale := 0.0
	for _, v := range scores {
		scale = max(scale, math.Abs(v))
	}
	if scale > 0 {
		scale = fullScale / scale
	}
	err := files.Write(filepath.Join(dir, name+".fet.1"), func(w io.Writer) error {
		return lines(w, strconv.Itoa(cols+1), len(times), func(line []byte, i int) []byte {
			for _, v := range scores[i*cols : (i+1)*cols] {
				line = append(strconv.AppendInt(line, int64(math.Round(v*scale)), 10), ' ')
			}
			return strconv.AppendInt(line, times[i], 10)
		})
	})
	if err != nil {
		return err
	}
	return files.Write(filepath.Join(dir, name+".clu.1"), func(w io.Writer) error {
		return lines(w, strconv.Itoa(g+noise), len(units), func(line []byte, i int) []byte {
			if outlier(i) {
				return strconv.AppendInt(line, noise, 10)
			}
			return strconv.AppendInt(line, int64(units[i])+noise+1, 10)
		})
	})
}

// RemoveKlusta removes the files of WriteKlusta, which an earlier run may have written.
func RemoveKlusta(files *output.Set, dir, name string) {
	files.Remove(filepath.Join(dir, name+".fet.1"))
	files.Remove(filepath.Join(dir, name+".clu.1"))
}

// blockLines is the number of lines that a goroutine formats at a time.
const blockLines = 1 << 14

// lines writes a header and n lines, which format appends. All processors format them.
func lines(w io.Writer, header string, n int, format func(line []byte, i int) []byte) error {
	if _, err := io.WriteString(w, header+"\n"); err != nil {
		return err
	}
	buffers := make([]bytes.Buffer, max(1, runtime.GOMAXPROCS(0)))
	for lo := 0; lo < n; lo += len(buffers) * blockLines {
		var wait sync.WaitGroup
		for b := range buffers {
			buffers[b].Reset()
			first := min(n, lo+b*blockLines)
			wait.Go(func() {
				var line []byte
				for i := first; i < min(n, first+blockLines); i++ {
					line = append(format(line[:0], i), '\n')
					buffers[b].Write(line)
				}
			})
		}
		wait.Wait()
		for b := range buffers {
			if _, err := w.Write(buffers[b].Bytes()); err != nil {
				return err
			}
		}
	}
	return nil
}
