package app_test

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/skelgo/skelgo/apps/internal/app"
)

func ExampleNumber() {
	text, err := json.Marshal([]app.Number{1.5, app.Number(math.NaN()), app.Number(math.Inf(1))})
	fmt.Println(string(text), err)
	// Output: [1.5,null,null] <nil>
}
