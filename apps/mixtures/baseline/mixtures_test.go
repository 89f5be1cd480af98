package baseline_test

import (
	"fmt"
	"log"
	"testing"

	compare "github.com/skelgo/skelgo/apps/internal/baseline"
	"github.com/skelgo/skelgo/apps/mixtures/baseline"
)

// TestOne fits one component, whose parameters are known. Two iterations suffice, because the
// shape is that around the mean of the iteration before.
func TestOne(t *testing.T) {
	compare.RequireOpenCL(t)
	p, err := baseline.Open(0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err := p.Build(); err != nil {
		t.Fatal(err)
	}
	if err := p.Upload([][]float64{{0.1, 0.2, 0.3, 0.4}}, 1); err != nil {
		t.Fatal(err)
	}
	fits, logLik, err := p.Run([]baseline.Component{{Alpha: 1, Mu: 1, Lambda: 1}}, 2)
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprintf("%.6f %.9f", fits[0][0], logLik[0])
	if want := "{1.000000 0.250000 0.827586} 2.994191680"; got != want {
		t.Errorf("the fit is %s, want %s", got, want)
	}
}

func ExampleProgram() {
	p, err := baseline.Open(0)
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	if err := p.Build(); err != nil {
		log.Fatal(err)
	}
	if err := p.Upload([][]float64{{0.1, 0.2, 0.3, 0.4}, {1, 2, 3}}, 1); err != nil {
		log.Fatal(err)
	}
	fits, logLik, err := p.Run([]baseline.Component{{Alpha: 1, Mu: 1, Lambda: 1}}, 100)
	fmt.Println(fits, logLik, err)
}

func ExampleComponent() {
	fmt.Println(baseline.Component{Alpha: 1, Mu: 0.25, Lambda: 0.8})
	// Output: {1 0.25 0.8}
}
