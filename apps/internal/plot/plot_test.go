package plot

import "testing"

// How plots are saved is tested where they are drawn, in the applications.

func TestCheck(t *testing.T) {
	if Check("a.gif") == nil || Check("a") == nil || Check("a.PNG") != nil || Check("") != nil {
		t.Error("Check")
	}
}

func TestViridis(t *testing.T) {
	lightness := func(v float64) float64 {
		c := Viridis(v)
		return 0.299*float64(c.R) + 0.587*float64(c.G) + 0.114*float64(c.B)
	}
	for v := 0.05; v <= 1; v += 0.05 {
		if lightness(v) <= lightness(v-0.05) {
			t.Errorf("the colour of %v is not lighter than that of %v", v, v-0.05)
		}
	}
	if Viridis(-1) != Viridis(0) || Viridis(2) != Viridis(1) {
		t.Error("values beyond 0 to 1 have colours of their own")
	}
}

func TestWholeTicks(t *testing.T) {
	for _, c := range []struct {
		high float64
		want int
	}{{0, 1}, {0.2, 1}, {3.3, 4}, {10.3, 6}, {100, 10}} {
		if got := WholeTicks(-0.3*min(c.high, 1), c.high); len(got) != c.want || got[0].Label != "0" {
			t.Errorf("ticks up to %v: %v", c.high, got)
		}
	}
}

func TestSample(t *testing.T) {
	for _, c := range []struct{ n, limit, want int }{{0, 5, 0}, {3, 5, 3}, {5, 5, 5}, {100000, 100, 100}} {
		got := Sample(c.n, c.limit)
		if len(got) != c.want {
			t.Errorf("Sample(%d, %d) has %d", c.n, c.limit, len(got))
		}
		for i := 1; i < len(got); i++ {
			if got[i] <= got[i-1] || got[i] >= c.n {
				t.Fatalf("Sample(%d, %d) = %v", c.n, c.limit, got)
			}
		}
	}
}
