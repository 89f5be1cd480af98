package main

import (
	"bytes"
	"os"
	"strconv"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

var (
	total  = skel.NewReduce(skel.Sum[float32]())
	prefix = skel.NewScan(skel.Sum[float32]())
)

// BenchmarkStreams measures a Reduce and a Scan of STREAMS_N float32 in host memory, and the program on
// the file STREAMS_FILE; see docs/performance.md.
func BenchmarkStreams(b *testing.B) {
	n, err := strconv.Atoi(os.Getenv("STREAMS_N"))
	if err != nil {
		n = 1 << 20
	}
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(i % 1000)
	}
	d, err := devices.Default()
	if err != nil {
		b.Fatal(err)
	}
	measure := func(name string, bytes int64, f func() error) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(bytes)
			for b.Loop() {
				if err := f(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	measure("reduce", 4*int64(n), func() error {
		v := vector.FromReader[float32](bytes.NewReader(devices.Bytes(x)), n)
		defer v.Free()
		_, err := total.Apply(v).Value()
		return err
	})
	measure("scan", 4*int64(n), func() error {
		v := vector.FromReader[float32](bytes.NewReader(devices.Bytes(x)), n)
		defer v.Free()
		sums := prefix.Inclusive(v)
		defer sums.Free()
		if err := sums.Wait(); err != nil {
			return err
		}
		return d.Sync()
	})
	if file := os.Getenv("STREAMS_FILE"); file != "" {
		info, err := os.Stat(file)
		if err != nil {
			b.Fatal(err)
		}
		measure("file", 2*info.Size(), func() error { // it is read twice
			_, _, err := moments(file)
			return err
		})
	}
}
