package tour

import (
	"slices"
	"testing"
)

func TestCollatzSteps(t *testing.T) {
	numbers, want := make([]int, 1000), make([]int, 1000)
	for i := range numbers {
		numbers[i] = i + 1
		for x := i + 1; x != 1; want[i]++ {
			if x%2 == 0 {
				x /= 2
			} else {
				x = 3*x + 1
			}
		}
	}
	got, err := CollatzSteps(numbers)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("steps %v, error %v", got[:min(10, len(got))], err)
	}
}
