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
