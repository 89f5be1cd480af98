package pieces

import (
	"path"
	"strings"
)

// File is a Go file, split into declarations.
type File struct {
	Package string // the package name
	Decls   []Decl // in the order of the text
	Marks   []int  // the positions of the marks passed to Scan

	lines []int // the start of each line
}

// Decl is a top-level declaration. A parenthesized group has one Decl for each
// specification, except that a group of constants is a single Decl if it uses
// iota or omits values, because each constant then depends on the previous
// ones.
type Decl struct {
	Names    []string // "nearest", "Point.dist"; several for constants and variables
	Sum      uint64   // sum of the tokens, the packages that they name, and the file's build constraint
	Line     int      // the line on which it begins
	From, To int      // its position
}

// Positions in a file, such as From, To and Marks, count the bytes of the
// preceding tokens: comments and layout do not change them.

// Line returns the positions at which line n, counted from 1, begins and ends.
func (f *File) Line(n int) (from, to int) {
	if n < 1 || n > len(f.lines) {
		return 0, 0
	}
	if n == len(f.lines) {
		return f.lines[n-1], 1 << 62
	}
	return f.lines[n-1], f.lines[n]
}

// scanner is the state of Scan.
type scanner struct {
	src   string
	file  File
	n     int // bytes of tokens so far
	line  int
	depth int // of brackets

	gap           gap
	prev, last    byte   // the last two bytes of tokens
	word          [2]int // the position in src of the last token if it is a word
	imports       map[string]uint64
	dots, context uint64 // sums of the dot imports and of the build constraint

	kind   string // keyword of the current declaration; "" between declarations
	group  bool   // the declaration is parenthesized
	from   int    // index of the group's first element in file.Decls
	chain  bool   // its constants depend on the previous ones
	naming naming
	decl   Decl
	spec   bool   // decl is being read
	valued bool   // decl has an equals sign
	alias  string // of an import, or the type of a receiver
	sum    uint64
}

// gap is the separator of two tokens.
type gap int

const (
	none gap = iota
	space
	newline
)

// naming says which words of a declaration are its names.
type naming int

const (
	done     naming = iota
	first           // the next word is a name
	next            // a comma leads to another name
	receiver        // the last word before the bracket is the receiver's type
	method          // the next word is the method
)

// Scan splits a file into declarations. The file must compile; for other files
// the result is meaningless. Marks are offsets in src in ascending order.
func Scan(src string, marks ...int) *File {
	s := &scanner{src: src, line: 1, imports: map[string]uint64{}, context: offset}
	s.file.lines = append(make([]int, 0, 1+len(src)/24), 0)
	for i := 0; i < len(src); {
		for len(marks) > 0 && i >= marks[0] {
			s.file.Marks, marks = append(s.file.Marks, s.n), marks[1:]
		}
		i = s.step(i)
	}
	s.gap = newline
	s.boundary(0)
	s.end()
	for range marks {
		s.file.Marks = append(s.file.Marks, s.n)
	}
	return &s.file
}

// step reads what begins at src[i] and returns the offset of what follows.
func (s *scanner) step(i int) int {
	c := s.src[i]
	switch {
	case c == '\n':
		s.newline()
		return i + 1
	case c == ' ' || c == '\t' || c == '\r':
		s.gap = max(s.gap, space)
		return i + 1
	case c == '/' && strings.HasPrefix(s.src[i:], "//"):
		return s.comment(i)
	case c == '/' && strings.HasPrefix(s.src[i:], "/*"):
		end := len(s.src)
		if n := strings.Index(s.src[i+2:], "*/"); n >= 0 {
			end = i + 2 + n + 2
		}
		s.gap = max(s.gap, space)
		for range strings.Count(s.src[i:end], "\n") {
			s.newline()
		}
		return end
	case letter(c):
		j := i + 1
		for j < len(s.src) && letter(s.src[j]) {
			j++
		}
		s.token(i, j)
		return j
	case c == '"' || c == '\'' || c == '`':
		j := quoted(s.src, i)
		s.token(i, j)
		if c == '`' {
			for range strings.Count(s.src[i:j], "\n") {
				s.file.lines = append(s.file.lines, s.n)
				s.line++
			}
		}
		return j
	}
	s.token(i, i+1)
	return i + 1
}

func (s *scanner) newline() {
	s.file.lines = append(s.file.lines, s.n)
	s.line++
	s.gap = newline
}

// comment skips a comment. A build constraint is added to the context because
// it determines whether the file is built.
func (s *scanner) comment(i int) int {
	end := len(s.src)
	if n := strings.IndexByte(s.src[i:], '\n'); n >= 0 {
		end = i + n
	}
	if text := s.src[i:end]; s.file.Package == "" && strings.HasPrefix(text, "//go:build ") {
		s.context = add(s.context, strings.TrimSpace(text))
	}
	s.gap = max(s.gap, space)
	return end
}

// quoted returns the end of the string or character that begins at src[i].
func quoted(src string, i int) int {
	q := src[i]
	for j := i + 1; j < len(src); j++ {
		switch {
		case src[j] == q:
			return j + 1
		case src[j] == '\\' && q != '`':
			j++
		}
	}
	return len(src)
}

// Classes of characters.
const (
	inWord = 1 << iota // in an identifier or a number
	inSign             // in an operator of several characters
	atEnd              // a line break after it ends a statement
)

var class = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80:
			t[c] = inWord | atEnd
		case strings.IndexByte("+-*/%&|^<>=!:.~", byte(c)) >= 0:
			t[c] = inSign
		case strings.IndexByte(")]}\"'`", byte(c)) >= 0:
			t[c] = atEnd
		}
	}
	return t
}()

func letter(c byte) bool { return class[c]&inWord != 0 }

// ends reports whether a line break after the last token ends a statement.
func (s *scanner) ends() bool {
	return class[s.last]&atEnd != 0 || (s.last == '+' || s.last == '-') && s.prev == s.last
}

// token processes the next token, src[from:to].
func (s *scanner) token(from, to int) {
	t := s.src[from:to]
	c := t[0]
	if (s.gap == newline || s.last == ';' || c == ')') && s.boundary(c) {
		s.gap = none
	}
	if s.kind == "" {
		s.begin(t)
		return
	} else if s.spec || s.kind == "import" {
		if s.naming != done || s.depth <= 1 || s.kind == "const" {
			s.name(t)
		}
	} else if c != ')' { // the first word of a specification in a group
		s.open()
		s.name(t)
	}
	switch {
	case s.gap == newline && s.ends() && c != ')' && c != '}':
		s.write("\n")
	case s.gap != none && class[c]&class[s.last]&(inWord|inSign) != 0:
		s.write(" ")
	}
	if c == '.' && s.word[1] > 0 && s.gap == none {
		s.sum = (s.sum ^ s.imports[s.src[s.word[0]:s.word[1]]]) * prime
	}
	if s.word = [2]int{}; letter(c) && s.last != '.' {
		s.word = [2]int{from, to}
	}
	if c == '`' {
		t = strings.ReplaceAll(t, "\r", "")
	}
	s.write(t)
	s.gap = none
	switch c {
	case '(', '[', '{':
		s.depth++
	case ')', ']', '}':
		if s.depth--; s.group && s.depth == 0 {
			s.endGroup()
		}
	}
}

// boundary ends a declaration or a specification if it ends before the token
// that begins with c.
func (s *scanner) boundary(c byte) bool {
	over := s.gap == newline && s.ends() || s.last == ';'
	closing := s.group && s.depth == 1 && c == ')'
	if s.kind == "" || !over && !closing || s.depth > 0 && (!s.group || s.depth > 1) {
		return false
	}
	s.end()
	if s.depth == 0 {
		s.kind, s.group = "", false
	}
	return true
}

// begin starts a declaration with its keyword. Like the brackets of a group,
// the keyword does not count towards positions.
func (s *scanner) begin(keyword string) {
	s.write(keyword)
	s.gap, s.last = none, 0
	switch keyword {
	case "package", "import", "func", "type", "const", "var":
		s.kind = keyword
		s.open()
	case ";":
	default:
		s.kind = "?"
	}
}

// open starts a specification.
func (s *scanner) open() {
	s.spec, s.naming, s.alias, s.valued, s.word = true, first, "", false, [2]int{}
	s.decl = Decl{Line: s.line, From: s.n}
	s.sum = add(s.context^s.dots, s.kind)
}

// end finishes a specification.
func (s *scanner) end() {
	if s.spec && len(s.decl.Names) > 0 {
		s.decl.To, s.decl.Sum = s.n, s.sum
		s.file.Decls = append(s.file.Decls, s.decl)
		s.chain = s.chain || s.kind == "const" && !s.valued
	}
	s.spec = false
}

// endGroup finishes a group.
func (s *scanner) endGroup() {
	s.end()
	s.group = false
	if !s.chain {
		return
	}
	all := s.file.Decls[s.from]
	for _, d := range s.file.Decls[s.from+1:] {
		all.Names = append(all.Names, d.Names...)
		all.Sum = (all.Sum ^ d.Sum) * prime
		all.To = d.To
	}
	s.file.Decls = append(s.file.Decls[:s.from], all)
}

// name looks for declared names in a token of a declaration.
func (s *scanner) name(t string) {
	word := letter(t[0])
	switch {
	case s.kind == "package":
		if word && s.file.Package == "" {
			s.file.Package = t
		}
		return
	case s.kind == "import":
		s.imported(t)
		return
	case t == "(" && !s.group && s.naming == first && len(s.decl.Names) == 0 && s.depth == 0:
		if s.kind == "func" {
			s.naming = receiver
			return
		}
		s.group, s.spec, s.from, s.chain = true, false, len(s.file.Decls), false
		return
	case t == "=":
		s.valued = true
	case t == "iota" && s.kind == "const":
		s.chain = true
	}
	switch s.naming {
	case first:
		if word {
			s.decl.Names = append(s.decl.Names, t)
			s.naming = next
		} else {
			s.naming = done
		}
	case next:
		if s.naming = done; t == "," && s.kind != "func" && s.kind != "type" {
			s.naming = first
		}
	case receiver:
		switch {
		case word:
			s.alias = t
		case t == "[" || t == ")":
			s.naming = method
		}
	case method:
		if word && s.depth == 0 {
			s.decl.Names = []string{s.alias + "." + t}
			s.naming = done
		}
	case done:
	}
}

// imported looks at a token of an import declaration.
func (s *scanner) imported(t string) {
	switch c := t[0]; {
	case c == '(' && s.depth == 0:
		s.group, s.spec, s.from, s.chain = true, false, len(s.file.Decls), false
	case c == '"' || c == '`':
		s.addImport(s.alias, t[1:len(t)-1])
		s.alias = ""
	case letter(c) || c == '.':
		s.alias = t
	}
}

// addImport records a package under the name by which the file refers to it.
// Without an alias that name is defined in the package's own source, so
// addImport records all names that the path suggests.
func (s *scanner) addImport(alias, of string) {
	sum := add(offset, of)
	switch alias {
	case "_":
		return
	case ".":
		s.dots ^= sum
		return
	case "":
	default:
		s.imports[alias] = sum
		return
	}
	dir, base := path.Split(of)
	if v := strings.TrimLeft(base, "v0123456789"); v == "" && dir != "" { // geometry/v2
		s.imports[base] = sum
		base = path.Base(dir)
	}
	// As in yaml.v3 and go-yaml.
	for _, name := range strings.FieldsFunc(base, func(r rune) bool { return r == '.' || r == '-' }) {
		s.imports[name] = sum
	}
}

// The sum is FNV-1a.
const (
	offset = 14695981039346656037
	prime  = 1099511628211
)

func add(sum uint64, t string) uint64 {
	for i := range len(t) {
		sum = (sum ^ uint64(t[i])) * prime
	}
	return sum
}

// write adds bytes to the declaration.
func (s *scanner) write(t string) {
	s.sum = add(s.sum, t)
	s.n += len(t)
	if len(t) > 1 {
		s.prev, s.last = t[len(t)-2], t[len(t)-1]
	} else {
		s.prev, s.last = s.last, t[0]
	}
}
