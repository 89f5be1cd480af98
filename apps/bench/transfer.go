package bench

import (
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/devices"
)

// transfers are the rows of upload and download of a Go slice.
func transfers(s *benchmark.Suite) (rows []*benchmark.Row) {
	n := s.Size(1 << 28)
	for _, up := range []bool{true, false} {
		name, ask := "Download", "d2h"
		if up {
			name, ask = "Upload", "h2d"
		}
		rows = append(rows, &benchmark.Row{
			Name:     fmt.Sprintf("%s/bytes=%d", name, 4*n),
			Memory:   4 * int64(n),
			Goals:    s.GPUGoals("memcpy", 3),
			Requests: []benchmark.Request{{Yardstick: "memcpy", Text: fmt.Sprintf("%s float32 %d", ask, n)}},
			Open:     func(s *benchmark.Suite) (*benchmark.Case, error) { return openTransfer(s, n, up) },
		})
	}
	return rows
}

// openTransfer prepares a slice whose pages are there, as the yardstick does.
func openTransfer(s *benchmark.Suite, n int, up bool) (*benchmark.Case, error) {
	if s.Device.Native() {
		return nil, benchmark.Skipped("its memory is the host's")
	}
	host := make([]float32, n)
	benchmark.Concurrently((n+benchmark.Piece-1)/benchmark.Piece, func(p int) {
		for i := p * benchmark.Piece; i < min(n, (p+1)*benchmark.Piece); i++ {
			host[i] = benchmark.Uniform[float32](i, 0)
		}
	})
	x, err := float32s.random.Fill(s, n, benchmark.SecondInput)
	if err != nil {
		return nil, err
	}
	b := &benchmark.Case{Free: benchmark.Containers(x)}
	write := func() error { return x.Write(0, host) }
	back := make([]float32, n)
	read := func() error {
		memory, err := x.Memory()
		if err != nil {
			return err
		}
		return memory.Read(0, devices.Bytes(back))
	}
	b.Check = func() error {
		for _, f := range []func() error{write, read} {
			if err := f(); err != nil {
				return err
			}
		}
		return wrong(slices.Equal(host, back), "other bytes came back", "those that went")
	}
	b.Sample = once(read)
	if up {
		b.Sample = once(func() error {
			if err := write(); err != nil {
				return err
			}
			return s.Device.Sync()
		})
	}
	return b, nil
}
