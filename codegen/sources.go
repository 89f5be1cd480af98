package codegen

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A generated file embeds the sources in its own folder on which its functions
// depend. go:embed does not reach other folders, so a package whose functions
// are called from kernels of other packages gets a file that only embeds
// sources: zkernels-sources.go. Several packages may need it, and skelgen may
// see only one of them, so it adds to the embedded files and removes only those
// that no longer exist. Packages of other modules in the workspace that embed their
// sources in their own generated files are left alone.

const sourcesName = "zkernels-sources"

const helperNote = `// Functions of other packages that run on devices depend on these files: the
// program notices when they have changed since skelgen ran. When one does not
// exist any more, run 'go generate ./...'.
//
//go:embed `

// helperFiles returns the files that embed the sources of helper packages,
// including packages that already have such a file.
func (t *tracer) helperFiles() []File {
	for _, pkg := range t.roots {
		if dir := dirOf(pkg); dir != "" && pkg.ForTest == "" && len(embedded(dir)) > 0 {
			if t.needed[dir] == nil {
				t.needed[dir] = &helper{pkg, map[string]bool{}}
			}
		}
	}
	var files []File
	for _, dir := range slices.Sorted(maps.Keys(t.needed)) {
		h := t.needed[dir]
		all := maps.Clone(h.files)
		for name := range embedded(dir) {
			path := filepath.Join(dir, name)
			if _, err := os.Stat(path); err == nil {
				all[path] = true
			}
		}
		groups, lines := map[string][]string{}, map[string]string{}
		for _, path := range slices.Sorted(maps.Keys(all)) {
			name, line := sourcesName+".go", ""
			if target, build := target(t.plain(h.pkg), path); target != fileName {
				name, line = sourcesName+strings.TrimPrefix(target, "zkernels"), build
			}
			groups[name], lines[name] = append(groups[name], filepath.Base(path)), line
		}
		for _, name := range slices.Sorted(maps.Keys(groups)) {
			files = append(files, File{filepath.Join(dir, name), sourcesText(h.pkg, lines[name], groups[name])})
		}
		old, _ := filepath.Glob(filepath.Join(dir, sourcesName+"*.go"))
		for _, path := range old {
			if groups[filepath.Base(path)] == nil {
				files = append(files, File{Path: path})
			}
		}
	}
	return files
}

// plain returns the variant of a package without its tests.
func (t *tracer) plain(pkg *packages.Package) *packages.Package {
	for _, p := range t.all {
		if p.PkgPath == pkg.PkgPath && p.ForTest == "" {
			return p
		}
	}
	return pkg
}

// sourcesText returns the text of such a file.
func sourcesText(pkg *packages.Package, buildLine string, names []string) []byte {
	var b bytes.Buffer
	b.WriteString(header)
	if buildLine != "" {
		b.WriteString("\n" + buildLine + "\n")
	}
	ident := "zkernels_sources"
	for pkg.Types.Scope().Lookup(ident) != nil {
		ident += "_"
	}
	fmt.Fprintf(&b,
		"\npackage %s\n\nimport (\n\t\"embed\"\n\n\t%q\n)\n\n%s%s\nvar %s embed.FS\n\nfunc init() { "+
			"registry.From(%q, %s) }\n",
		pkg.Name, registryPath, helperNote, strings.Join(names, " "), ident, pkg.PkgPath, ident)
	return b.Bytes()
}

// embedded returns the files that are embedded by the sources files of a
// folder.
func embedded(dir string) map[string]bool { return embeddedBy(filepath.Join(dir, sourcesName+"*.go")) }

// embeddedBy returns the files that are embedded by the generated files whose paths match
// a pattern.
func embeddedBy(pattern string) map[string]bool {
	all := map[string]bool{}
	files, _ := filepath.Glob(pattern)
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			if list, ok := strings.CutPrefix(line, "//go:embed "); ok {
				for name := range strings.FieldsSeq(list) {
					all[name] = true
				}
			}
		}
	}
	return all
}
