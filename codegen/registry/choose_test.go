package registry

import (
	"strings"
	"testing"
)

// TestChoose registers a function of a library in several generated files: that of the
// library, that of the program, and that of another library.
func TestChoose(t *testing.T) {
	const (
		text    = "package lib\n\nfunc Thrice(x float32) float32 { return 3 * x }\n"
		changed = "package lib\n\nfunc Thrice(x float32) float32 { return x * 3 }\n"
	)
	oldModules, oldMain := modules, mainModule
	defer func() { modules, mainModule = oldModules, oldMain }()
	mainModule = func() string { return "m" }
	modules = func() map[string]string { return map[string]string{"example.com/lib": "v1.3.0"} }

	own := func(of string) string { return "Thrice=" + sum(of, "Thrice") }
	foreign := func(of, version string) string {
		return "example.com/lib:Thrice~" + sum(of, "Thrice") + " example.com/lib@" + version
	}
	type reg struct{ pkg, hash, uses string }
	for _, c := range []struct {
		name  string
		lib   string // the embedded text of the library; "" if there is none
		forms []reg
		want  string // the hash, or a part of the error
	}{
		{"one form in two files", text,
			[]reg{{"m", "1", foreign(text, "v1.3.0")}, {"example.com/lib", "1", own(text)}}, "1"},
		{"the program was generated before", changed,
			[]reg{{"m", "1", foreign(text, "v1.2.0")}, {"example.com/lib", "2", own(changed)}}, "2"},
		{"the library was generated before", changed,
			[]reg{{"example.com/lib", "1", own(text)}, {"m", "2", foreign(changed, "v1.3.0")}}, "2"},
		{"both were generated before", changed,
			[]reg{{"example.com/lib", "1", own(text)}, {"m", "1", foreign(text, "v1.3.0")}}, "thrice has changed"},
		{"by different versions of skelgen", text,
			[]reg{{"m", "1", foreign(text, "v1.3.0")}, {"example.com/lib", "2", own(text)}}, "1"},
		{"another version has the same text", text, []reg{{"m", "1", foreign(text, "v1.2.0")}}, "1"},
		{"another version, no text", "", []reg{{"m", "1", foreign(text, "v1.2.0")}}, "which was v1.2.0"},
		{"the same version, no text", "",
			[]reg{{"example.com/other", "2", foreign(changed, "v1.2.0")}, {"m", "1", foreign(text, "v1.3.0")}}, "1"},
		{"nobody knows", "",
			[]reg{{"example.com/other", "1", foreign(text, "v1.1.0")},
				{"example.com/more", "2", foreign(changed, "v1.2.0")}},
			"registry.thrice has two different device forms: of lib.go:3:1 in "},
		{"nobody knows, but they are equal", "",
			[]reg{{"example.com/other", "1", foreign(text, "v1.1.0")},
				{"example.com/more", "1", foreign(text, "v1.2.0")}},
			"1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			empty(t)
			if c.lib != "" {
				From("example.com/lib", files("lib.go", c.lib))
			}
			for i, r := range c.forms {
				s := From(r.pkg, files())
				f := Func{Name: "example.com/lib.Thrice", Go: thrice, Pos: "lib.go:3:1", Hash: r.hash, Uses: r.uses}
				if i == 0 {
					f.Loops.Map = func(dst, a []float32) {}
				} else {
					f.Loops.Tree = func(t []float32) float32 { return 0 }
				}
				s.Add([]Func{f})
			}
			f, err := Of(thrice)
			if err != nil {
				if !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "run 'go generate ./...'") {
					t.Fatalf("got %v, want %s", err, c.want)
				}
				return
			}
			if f.Hash != c.want {
				t.Errorf("got form %s, want %s", f.Hash, c.want)
			}
			if c.forms[0].hash == c.forms[len(c.forms)-1].hash && len(c.forms) > 1 &&
				(f.Loops.Map == nil || f.Loops.Tree == nil) {
				t.Error("the form lacks what one of the files has")
			}
		})
	}
}
