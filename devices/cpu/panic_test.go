package cpu

import (
	"errors"
	"runtime"
	"testing"

	"github.com/skelgo/skelgo/devices/driver"
)

// Of a panic in a function of the framework that another goroutine ran, the error names the caller.
func TestPanicElsewhere(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(2, runtime.GOMAXPROCS(0))))
	err := Run(2, panicInSecond(make(chan struct{})))
	var p *PanicError
	if !errors.As(err, &p) || p.Value != "second" || p.Func != "cpu.TestPanicElsewhere" {
		t.Errorf("error %+v", p)
	}
}

// The function stands for one of the framework: its file is not one of tests.

/*line framework.go:1:1*/
func panicInSecond(begun chan struct{}) func(driver.Group) {
	return func(g driver.Group) {
		if g.ID == 0 { // the caller runs the first group, and another goroutine the second
			<-begun
			return
		}
		close(begun)
		panic("second")
	}
}
