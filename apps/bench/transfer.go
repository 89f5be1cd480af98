package bench

import (
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/devices/driver"
)

// transfers are the rows of upload and download of a Go slice.
func transfers(s *session) (rows []*Row) {
	n := s.size(1 << 28)
	for _, up := range []bool{true, false} {
		name, ask := "Download", "d2h"
		if up {
			name, ask = "Upload", "h2d"
		}
		rows = append(rows, &Row{
			Name:    fmt.Sprintf("%s/bytes=%d", name, 4*n),
			Memory:  4 * int64(n),
			Goals:   s.gpuGoals("memcpy", 3),
			outside: []outside{{"memcpy", fmt.Sprintf("%s float32 %d", ask, n)}},
			open:    func(s *session) (*bout, error) { return openTransfer(s, n, up) },
		})
	}
	return rows
}

// openTransfer prepares a slice whose pages are there, as the yardstick does.
func openTransfer(s *session, n int, up bool) (*bout, error) {
	if s.device.Native() {
		return nil, skipped("its memory is the host's")
	}
	host := make([]float32, n)
	concurrently((n+piece-1)/piece, func(p int) {
		for i := p * piece; i < min(n, (p+1)*piece); i++ {
			host[i] = uniform[float32](i, 0)
		}
	})
	x, err := float32s.random.fill(s, n, second)
	if err != nil {
		return nil, err
	}
	b := &bout{free: freeing(x)}
	write := func() error { return x.Write(0, host) }
	back := make([]float32, n)
	read := func() error {
		memory, err := x.Memory()
		if err != nil {
			return err
		}
		return memory.Read(0, driver.Bytes(back))
	}
	b.check = func() error {
		for _, f := range []func() error{write, read} {
			if err := f(); err != nil {
				return err
			}
		}
		return wrong(slices.Equal(host, back), "other bytes came back", "those that went")
	}
	b.sample = once(read)
	if up {
		b.sample = once(func() error {
			if err := write(); err != nil {
				return err
			}
			return s.device.Sync()
		})
	}
	return b, nil
}
