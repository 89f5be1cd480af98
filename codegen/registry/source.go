package registry

import (
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"

	"github.com/skelgo/skelgo/codegen/registry/pieces"
)

// Source is the text of the files of one folder from which the program was
// compiled. It detects functions that were changed after skelgen ran
// (docs/adr/0018).
type Source struct {
	path  string // import path of the folder's package
	files fs.FS

	once sync.Once
	text map[string]*pieces.File // by file name
	decl map[string]declared     // by package path, a colon, and name
}

// declared is a declaration in a file.
type declared struct {
	file string
	line int
	sum  uint64
}

// From registers the files that a generated file embeds. They are read when a
// function that depends on them is first used. The path is that of the package
// in the folder; files of its external tests belong to the package path_test.
// files is nil if the functions depend only on other packages.
func From(path string, files fs.FS) *Source {
	s := &Source{path: path, files: files}
	table.Lock()
	defer table.Unlock()
	table.sources[path] = append(table.sources[path], s)
	return s
}

// Add is like the function Add, for functions that depend on the source of
// their package, and perhaps of others. It keeps the list.
func (s *Source) Add(list []Func) {
	_, file, _, _ := runtime.Caller(1)
	for i := range list {
		if err := add(&form{Func: &list[i], source: s, file: file}); err != nil {
			panic(err)
		}
	}
}

// read splits the files into declarations.
func (s *Source) read() {
	s.once.Do(func() {
		s.text, s.decl = map[string]*pieces.File{}, map[string]declared{}
		if s.files == nil {
			return
		}
		names, _ := fs.Glob(s.files, "*.go")
		for _, name := range names {
			text, err := fs.ReadFile(s.files, name)
			if err != nil {
				continue // its declarations are then not found
			}
			f := pieces.Scan(string(text))
			s.text[name] = f
			pkg := s.path
			if strings.HasSuffix(name, "_test.go") && strings.HasSuffix(f.Package, "_test") {
				pkg += "_test"
			}
			for _, d := range f.Decls {
				for _, n := range d.Names {
					s.decl[pkg+":"+n] = declared{name, d.Line, d.Sum}
				}
			}
		}
	})
}

// changed returns an error if one of a function's Uses has changed since skelgen ran, and
// whether it is sure that none has.
func (k *form) changed() (sure bool, err error) {
	seen := map[string]bool{} // packages of other modules, and whether the program contains their text
	var versions []string
	for i, use := range strings.Fields(k.Uses) {
		at := strings.LastIndexAny(use, "=~@") // paths of modules may have a ~
		if at < 0 || use[at] == '@' {
			versions = append(versions, use)
			continue
		}
		what := use[:at]
		was, _ := strconv.ParseUint(use[at+1:], 36, 64)
		pkg, name, foreign := strings.Cut(what, ":")
		switch {
		case !foreign:
			pkg, name = k.source.path, what
		case pkg == "":
			pkg, foreign = k.source.path+"_test", false
		}
		is, found := lookup(k.source, pkg, name)
		if use[at] == '~' {
			before, again := seen[pkg]
			seen[pkg] = found && (before || !again)
		}
		if found && is.sum == was || !found && use[at] == '~' {
			continue
		}
		subject := "it"
		if i > 0 || k.Within != "" {
			if foreign {
				name = path.Base(pkg) + "." + name
			}
			subject = "it uses " + name + ", which"
		}
		if !found {
			return false, fmt.Errorf("%s has been moved or removed since skelgen ran", subject)
		}
		return false, fmt.Errorf("%s has changed since skelgen ran (%s:%d)", subject, is.file, is.line)
	}
	return k.sameVersions(seen, versions)
}

// sameVersions is changed for packages whose text is not in the program: it compares the
// versions of their modules.
func (k *form) sameVersions(seen map[string]bool, versions []string) (sure bool, err error) {
	for _, v := range versions {
		mod, _, _ := strings.Cut(v, "@")
		part, known := false, true
		for pkg, text := range seen {
			if pkg == mod || strings.HasPrefix(pkg, mod+"/") {
				part, known = true, known && text
			}
		}
		if part && known {
			continue
		}
		same, err := otherVersion(v)
		if err != nil && inMain(k.source) {
			return false, err
		}
		for pkg := range seen {
			if pkg == mod || strings.HasPrefix(pkg, mod+"/") {
				seen[pkg] = same
			}
		}
	}
	for _, known := range seen {
		if !known {
			return false, nil
		}
	}
	return true, nil
}

// lookup finds a declaration, preferably in s.
func lookup(s *Source, pkg, name string) (declared, bool) {
	key := pkg + ":" + name
	s.read()
	if d, ok := s.decl[key]; ok {
		return d, true
	}
	table.RLock()
	list := append(table.sources[pkg][:0:0], table.sources[pkg]...)
	if dir, test := strings.CutSuffix(pkg, "_test"); test {
		list = append(list, table.sources[dir]...)
	}
	table.RUnlock()
	for _, s := range list {
		s.read()
		if d, ok := s.decl[key]; ok {
			return d, true
		}
	}
	return declared{}, false
}

// modules returns the versions of the modules in the program, by path. Binaries
// built by go test do not contain them.
var modules = sync.OnceValue(func() map[string]string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	versions := map[string]string{}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		versions[m.Path] = m.Version
	}
	return versions
})

// mainModule returns the path of the program's own module, or "" if it is
// unknown.
var mainModule = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return info.Main.Path
})

// inMain reports whether a generated file is in the main module.
func inMain(s *Source) bool {
	main := mainModule()
	return main == "" || s == nil || s.path == main || strings.HasPrefix(s.path, main+"/")
}

// otherVersion returns an error if the program uses another version of a module
// than what, "path@version", and whether it uses this one. Only functions of the main
// module are checked: its author can generate them again, whereas a program may select
// newer versions for the libraries that it uses.
func otherVersion(what string) (same bool, err error) {
	mod, was, _ := strings.Cut(what, "@")
	switch is := modules()[mod]; is {
	case "", "(devel)": // unknown: a test, or a folder of the workspace
		return false, nil
	case was:
		return true, nil
	default:
		return false, fmt.Errorf("it uses module %s, which was %s when skelgen ran and is %s now", mod, was, is)
	}
}

// at reports whether a line of a file may belong to a literal: at its position
// inside the declaration that surrounded it, if that is unchanged.
func (k *form) at(file string, line int) bool {
	if k.source == nil {
		return false
	}
	k.source.read()
	f := k.source.text[file]
	if f == nil {
		return false
	}
	within, _ := strconv.ParseUint(k.Within, 36, 64)
	from, to := f.Line(line)
	for _, d := range f.Decls {
		if d.Sum == within && d.From+k.Span[0] < to && from < d.From+k.Span[1] {
			return true
		}
	}
	return false
}
