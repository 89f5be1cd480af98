package plot

import "testing"

// How plots are saved is tested where they are drawn, in the applications.

func TestCheck(t *testing.T) {
	if Check("a.gif") == nil || Check("a") == nil || Check("a.PNG") != nil || Check("") != nil {
		t.Error("Check")
	}
}
