package printable

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func ExampleString() {
	fmt.Println(String("a \x1b[31mred\a name,\tGr\xf6\xdfe \u009b2J"))
	// Output: a \u001b[31mred\u0007 name,	Gr\xf6\xdfe \u009b2J
}

func ExampleNewWriter() {
	var b bytes.Buffer
	w := NewWriter(&b, String)
	fmt.Fprint(w, "\x1b]0;title\a, ")
	fmt.Fprint(w, "\xe2\x82") // half a character
	fmt.Fprint(w, "\xac")
	err := w.Flush()
	fmt.Println(b.String(), err)
	// Output: \u001b]0;title\u0007, € <nil>
}

// text draws text with control characters and invalid UTF-8.
func text() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		parts := rapid.SliceOf(rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
			"\x1b[2J", "\a", "\r", "\x7f", "\u009b", "\x9b", "\xff\xfe", "\xe2\x82", "\t\n", "\ufffe", "\uffff",
			"<&>\"", "€",
		}))).Draw(t, "parts")
		return strings.Join(parts, "")
	})
}

// TestNothingIsExecuted checks that no control character reaches a terminal, in however many pieces the
// text is written, and that other text does not change.
func TestNothingIsExecuted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := text().Draw(t, "text")
		var b bytes.Buffer
		w := NewWriter(&b, String)
		for rest := s; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "n")
			if got, err := io.WriteString(w, rest[:n]); got != n || err != nil {
				t.Fatal(got, err)
			}
			rest = rest[n:]
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		got := b.String()
		if got != String(s) {
			t.Errorf("in pieces %q, whole %q", got, String(s))
		}
		bad := func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }
		if !utf8.ValidString(got) || strings.ContainsFunc(got, bad) {
			t.Errorf("%q", got)
		}
		if utf8.ValidString(s) && !strings.ContainsFunc(s, bad) && got != s {
			t.Errorf("%q became %q", s, got)
		}
	})
}

// TestJSON checks that escaped JSON has the same value and that String does not change it.
func TestJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := strings.ToValidUTF8(text().Draw(t, "text"), "")
		b, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got string
		safe := JSON(b)
		if err := json.Unmarshal(safe, &got); err != nil || got != want {
			t.Errorf("%q became %q, %v", want, got, err)
		}
		if String(string(safe)) != string(safe) {
			t.Errorf("%s is not printable", safe)
		}
	})
}

func TestXML(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := strings.NewReplacer("<", "&lt;", "&", "&amp;", ">", "&gt;").Replace(text().Draw(t, "text"))
		in := xml.NewDecoder(strings.NewReader("<a>" + XML(s) + "</a>"))
		for {
			if _, err := in.Token(); errors.Is(err, io.EOF) {
				return
			} else if err != nil {
				t.Fatalf("%q: %v", s, err)
			}
		}
	})
}

// failing is a writer on a full disk.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestErrors(t *testing.T) {
	w := NewWriter(failing{}, String)
	_, err := w.Write(make([]byte, 1<<16))
	if err == nil {
		err = w.Flush()
	}
	if !errors.Is(err, io.ErrShortWrite) {
		t.Error(err)
	}
}
