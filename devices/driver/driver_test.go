package driver_test

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/skelgo/skelgo/devices/driver"
)

func TestGroupsCoverTheRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, 1<<40).Draw(t, "n")
		count := rapid.Int64Range(1, 1000).Draw(t, "count")
		from := rapid.Int64Range(0, count-1).Draw(t, "from")
		more := rapid.Int64Range(0, count-1-from).Draw(t, "more")
		merged := driver.Group{ID: from, Count: count, More: more}
		begin, end := merged.Range(n)
		next := int64(0)
		for id := range count {
			lo, hi := driver.Group{ID: id, Count: count}.Range(n)
			if id == from && lo != begin || id == from+more && hi != end {
				t.Fatalf("%+v has [%d, %d), and group %d [%d, %d)", merged, begin, end, id, lo, hi)
			}
			if lo != next || hi < lo || hi-lo > n/count+1 || hi-lo < n/count {
				t.Fatalf("group %d of %d has [%d, %d), and the one before it ends at %d", id, count, lo, hi, next)
			}
			next = hi
		}
		if next != n {
			t.Fatalf("the groups end at %d of %d", next, n)
		}
	})
}

type mixed struct {
	A int8
	B float64
	C [3]uint16
}

func TestValueAndRaw(t *testing.T) {
	check := func(a driver.Arg, want []byte, size int) {
		t.Helper()
		if !bytes.Equal(a.Bytes(), want) || a.Size != size || a.Buf != nil || (a.Data != nil) != (size > 8) {
			t.Errorf("%+v: %v, want %v", a, a.Bytes(), want)
		}
	}
	check(driver.Value(int8(-2)), []byte{0xfe}, 1)
	check(driver.Value(uint16(0x1234)), []byte{0x34, 0x12}, 2)
	check(driver.Value(float32(1)), []byte{0, 0, 0x80, 0x3f}, 4)
	check(driver.Value(math.Inf(1)), []byte{0, 0, 0, 0, 0, 0, 0xf0, 0x7f}, 8)
	check(driver.Value([3]byte{1, 2, 3}), []byte{1, 2, 3}, 3)
	check(driver.Value([9]byte{8: 7}), []byte{0, 0, 0, 0, 0, 0, 0, 0, 7}, 9)
	check(driver.Value(struct{}{}), nil, 0)
	m := mixed{A: 1, C: [3]uint16{5, 6, 7}}
	check(driver.Raw(&m, 16, 6), []byte{5, 0, 6, 0, 7, 0}, 6)
	check(driver.Raw(&m, 0, 24), driver.Bytes([]mixed{m}), 24)
	if p := driver.Field[[3]uint16](&m, 16); p != &m.C {
		t.Error("Field returned a different address")
	}
	a := driver.Value(m)
	m.C[0] = 99
	if driver.Slice[mixed](a.Data)[0].C[0] != 5 {
		t.Error("the argument is not a copy")
	}
}

func TestBytesAndSlice(t *testing.T) {
	if driver.Bytes([]int{}) != nil || driver.Slice[int32](nil) != nil ||
		driver.Slice[struct{}](make([]byte, 8)) != nil {
		t.Error("empty is not nil")
	}
	if n := len(driver.Slice[int64](make([]byte, 23))); n != 2 {
		t.Errorf("%d elements in 23 bytes", n)
	}
	x := []float64{1, 2, 3}
	y := driver.Slice[float64](driver.Bytes(x))
	y[1] = 5
	if diff := cmp.Diff([]float64{1, 5, 3}, x); diff != "" {
		t.Error(diff)
	}
}

func TestDone(t *testing.T) {
	if driver.Done.Wait() != nil || driver.Done.Elapsed() != 0 {
		t.Error("Done is not done")
	}
	if s := fmt.Sprint(driver.CPU, driver.GPU, driver.Accelerator); s != "CPU GPU accelerator" {
		t.Error(s)
	}
}

func ExampleGroup() {
	for id := range int64(3) {
		lo, hi := driver.Group{ID: id, Count: 3}.Range(10)
		fmt.Println(lo, hi)
	}
	// Output:
	// 0 4
	// 4 7
	// 7 10
}

func ExampleArg() {
	a := driver.Value(int32(-1))
	fmt.Printf("%d bytes: % x\n", a.Size, a.Bytes())
	// Output: 4 bytes: ff ff ff ff
}

func ExampleSlice() {
	b := []byte{1, 0, 0, 0, 2, 0, 0, 0}
	fmt.Println(driver.Slice[int32](b))
	// Output: [1 2]
}
