package pca

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
)

func TestSaveAndLoad(t *testing.T) {
	table := iris(t)
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		m := fitOn(t, d, table.Rows, table.Cols, table.Data, Options{Components: 3, Whiten: true})
		m.Columns = table.Names
		var file bytes.Buffer
		if err := m.Save(&file); err != nil {
			t.Fatal(err)
		}
		loaded, err := Load(&file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(m, loaded); diff != "" {
			t.Error(diff)
		}
	})
}

func TestLoadErrors(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{``, "it is no model of skelgo pca: it is empty"},
		{`1,2`, "it is no model of skelgo pca: json: cannot unmarshal number"},
		{`{"x":1}`, "it is no model of skelgo pca, or damaged: 0 components of 0 columns"},
		{`{"dim":2,"loadings":[[1,0]],"mean":[1]}`, "1 mean of 2 columns"},
		{`{"dim":2,"loadings":[[1,0]],"mean":[1,2],"variances":[1]}`, "1 variance and 0 ratios of 1 component"},
		{`{"dim":2,"loadings":[[1]],"mean":[1,2],"variances":[1],"ratios":[1]}`,
			"component 1 has 1 loading for 2 columns"},
		{`{"dim":2,"loadings":[[3,4]],"mean":[1,2],"variances":[1],"ratios":[1]}`,
			"the loadings of component 1 have length 5, not 1"},
		{`{"dim":2,"loadings":[[1,0]],"mean":[1,2],"variances":[-1],"ratios":[1]}`, "component 1 has the variance -1"},
		{`{"dim":2,"loadings":[[1,0]],"mean":[1,2],"variances":[1],"ratios":[1],"columns":["a"]}`,
			"1 name of 2 columns"},
	} {
		if _, err := Load(strings.NewReader(c.file)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %s", c.file, err, c.want)
		}
	}
}
