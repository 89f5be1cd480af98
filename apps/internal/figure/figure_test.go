package figure

import "testing"

// How plots are saved is tested where they are drawn, in the applications.

func TestCheck(t *testing.T) {
	if Check("a.gif") == nil || Check("a") == nil || Check("a.PNG") != nil || Check("") != nil {
		t.Error("Check")
	}
}

func TestDigits(t *testing.T) {
	for _, c := range []struct {
		n    int
		want string
	}{{0, "0"}, {-7, "-7"}, {-123, "-123"}, {1234, "1 234"}, {-1234567, "-1 234 567"}} {
		if got := Digits(c.n); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
