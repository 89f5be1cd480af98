package columnar

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func part10() (decoded, error) { return decoded{values: make([]byte, 10)}, nil }

// TestCacheBounds checks that the parts that were used last are kept.
func TestCacheBounds(t *testing.T) {
	c := newCache(35, 2)
	calls := 0
	get := func(chunk int) {
		t.Helper()
		d, err := c.get(place{0, chunk}, func() (decoded, error) { calls++; return part10() })
		if err != nil || len(d.values) != 10 {
			t.Fatal(d, err)
		}
	}
	for chunk := range 10 {
		get(chunk)
		if c.bytes > 35 || len(c.parts) > 3 || c.used.Len() != len(c.parts) {
			t.Fatalf("%d bytes in %d parts", c.bytes, len(c.parts))
		}
	}
	get(7)
	get(9)
	if calls != 10 {
		t.Errorf("decoded %d times, want 10", calls)
	}
	get(0) // instead of 8
	get(7)
	get(8)
	if calls != 12 {
		t.Errorf("decoded %d times, want 12", calls)
	}
}

// TestCacheLeast checks that the least number of parts is kept even if they are large.
func TestCacheLeast(t *testing.T) {
	c := newCache(5, 2)
	for chunk := range 4 {
		if _, err := c.get(place{0, chunk}, part10); err != nil {
			t.Fatal(err)
		}
	}
	if len(c.parts) != 2 || c.bytes != 20 {
		t.Errorf("%d bytes in %d parts, want 20 in 2", c.bytes, len(c.parts))
	}
}

// TestCacheErrors checks that a part with an error is decoded again.
func TestCacheErrors(t *testing.T) {
	c, broken := newCache(100, 2), errors.New("broken")
	for range 2 {
		if _, err := c.get(place{}, func() (decoded, error) { return decoded{}, broken }); !errors.Is(err, broken) {
			t.Errorf("error %v", err)
		}
	}
	_, err := c.get(place{}, func() (decoded, error) { panic("index out of range") })
	if err == nil || !strings.Contains(err.Error(), "it is damaged: index out of range") {
		t.Errorf("a panic: error %v", err)
	}
	if d, err := c.get(place{}, part10); err != nil || len(d.values) != 10 || c.bytes != 10 {
		t.Errorf("after errors: %v, %v, %d bytes", d, err, c.bytes)
	}
}

// TestCacheOnce checks that goroutines that need the same part decode it once.
func TestCacheOnce(t *testing.T) {
	c := newCache(100, 2)
	var calls atomic.Int32
	var all sync.WaitGroup
	begin := make(chan struct{})
	for range 10 {
		all.Go(func() {
			<-begin
			d, err := c.get(place{1, 1}, func() (decoded, error) { calls.Add(1); return part10() })
			if err != nil || len(d.values) != 10 {
				t.Error(d, err)
			}
		})
	}
	close(begin)
	all.Wait()
	if calls.Load() != 1 {
		t.Errorf("decoded %d times", calls.Load())
	}
}
