package cuda_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices/cuda/cu"
	"github.com/skelgo/skelgo/devices/cuda/internal/fakecuda"
	"github.com/skelgo/skelgo/devices/driver"
)

// TestLend copies through memory that one device lends to another, with as few waits as permitted: if a
// mark orders too little, a lazy queue shows it.
func TestLend(t *testing.T) {
	for name, eager := range schedules {
		t.Run(name, func(t *testing.T) {
			_, devs := fakes(t, fakecuda.Options{Devices: 2, Eager: eager})
			const slots, size = 2, 1000
			lent, err := devs[0].(driver.Lender).Lend(slots*size, slots)
			fatal(t, err)
			borrowed, err := devs[1].(driver.Lender).Borrow(lent.Handle())
			fatal(t, err)
			fatal(t, lent.Join(borrowed.Handle()))
			from, err := devs[0].Alloc(size)
			fatal(t, err)
			defer from.Free()
			const n = 7
			to, err := devs[1].Alloc(n * size)
			fatal(t, err)
			defer to.Free()
			r := rand.New(rand.NewPCG(9, 27))
			var want []byte
			for i := range n {
				p := make([]byte, size)
				for k := range p {
					p[k] = byte(r.Uint32())
				}
				want = append(want, p...)
				_, err := from.Write(0, p)
				fatal(t, err)
				slot := i % slots
				if i >= slots {
					fatal(t, lent.Wait(slot))
				}
				_, err = lent.Memory().Copy(int64(slot)*size, from, 0, size)
				fatal(t, errors.Join(err, lent.Mark(slot), borrowed.Wait(slot)))
				_, err = to.Copy(int64(i)*size, borrowed.Memory(), int64(slot)*size, size)
				fatal(t, errors.Join(err, borrowed.Mark(slot)))
			}
			got := make([]byte, n*size)
			_, err = to.Read(0, got)
			fatal(t, err)
			if !bytes.Equal(got, want) {
				t.Error("the bytes differ")
			}
			fatal(t, errors.Join(lent.Err(), borrowed.Err(), borrowed.Close(), borrowed.Close(), lent.Close()))
		})
	}
}

// TestLendFails: after an error of any call, nothing is left open.
func TestLendFails(t *testing.T) {
	c, devs := fakes(t, fakecuda.Options{Devices: 2})
	for _, d := range devs { // opens them
		b, err := d.Alloc(16)
		fatal(t, errors.Join(err, b.Free()))
	}
	before := cu.Live()
	for _, lacking := range []string{"cuIpcGetMemHandle", "cuIpcGetEventHandle"} {
		c.Lack(lacking)
		_, err := devs[0].(driver.Lender).Lend(100, 2)
		if err == nil || !strings.Contains(err.Error(), "lending 100 bytes") {
			t.Errorf("without %s: %v", lacking, err)
		}
	}
	c.Lack("")
	lent, err := devs[0].(driver.Lender).Lend(100, 2)
	fatal(t, err)
	for _, lacking := range []string{"cuIpcOpenMemHandle_v2", "cuIpcOpenEventHandle"} {
		c.Lack(lacking)
		if _, err := devs[1].(driver.Lender).Borrow(lent.Handle()); err == nil {
			t.Errorf("no error without %s", lacking)
		}
	}
	c.Lack("")
	if _, err := devs[1].(driver.Lender).Borrow(lent.Handle()[:9]); err == nil {
		t.Error("a short handle is accepted")
	}
	fatal(t, lent.Close())
	if after := cu.Live(); after != before {
		t.Errorf("left over: %+v, before: %+v", after, before)
	}
}

func fatal(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
