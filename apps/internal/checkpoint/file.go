package checkpoint

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/devices"
)

// File is the checkpoint of a run. The methods of a nil *File do nothing: the run has none. All
// ranks must make the same calls; rank 0 reads and writes.
type File struct {
	Saved  time.Time   // when the state that Open found was saved; the zero time if there is none
	Failed func(error) // is called if Save fails, which does not end the run

	name  string
	every time.Duration
	facts []Fact
	found []byte // the state that Open has found
	last  time.Time
}

// Fact is something on which the result of a run depends, such as -k 4.
type Fact struct{ Name, Value string }

// Facts returns facts from names and values, in turn.
func Facts(pairs ...any) (facts []Fact) {
	for i := 1; i < len(pairs); i += 2 {
		facts = append(facts, Fact{fmt.Sprint(pairs[i-1]), fmt.Sprint(pairs[i])})
	}
	return facts
}

// content is what follows the first line of a file, encoded by encoding/gob.
type content struct {
	Facts []Fact
	Saved time.Time
	State []byte // encoded for itself, because its type depends on the run
}

var (
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
	errNone    = errors.New("is not a checkpoint")
	errDamaged = errors.New("is damaged")
)

// magic begins the first line, which ends with the size of the rest and its checksum.
const (
	magic     = "skelgo checkpoint 1"
	firstLine = magic + ", %d bytes, crc32c %08x\n"
)

// Open returns the checkpoint with a name, whose state Save replaces at most once in every. If a
// file of that name exists, it must be the checkpoint of a run with the same facts. An empty
// name stands for no checkpoint.
func Open(name string, every time.Duration, facts []Fact) (*File, error) {
	if name == "" {
		return nil, nil
	}
	f := &File{name: name, every: every, facts: facts, last: time.Now()}
	text, err := read(name)
	switch {
	case err != nil:
		return nil, err
	case len(text) == 0:
		return f, nil
	}
	c, err := decode(text)
	switch {
	case errors.Is(err, errNone):
		return nil, fmt.Errorf("%s %w and is not overwritten; name another file", name, err)
	case err != nil:
		return nil, fmt.Errorf("%s %w; remove it to begin anew", name, err)
	}
	if err := f.compare(c.Facts); err != nil {
		return nil, err
	}
	f.found, f.Saved = c.State, c.Saved
	return f, nil
}

// read returns the file as rank 0 sees it, or nothing if there is none.
func read(name string) ([]byte, error) {
	var from io.Reader = strings.NewReader("")
	if devices.Rank() == 0 {
		switch file, err := os.Open(name); {
		case err == nil:
			defer file.Close()
			from = file
		case !errors.Is(err, fs.ErrNotExist):
			from = failing{err}
		}
	}
	return io.ReadAll(devices.FromFirst(from))
}

// failing is a reader that only has an error.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func decode(text []byte) (c content, err error) {
	line, rest, _ := bytes.Cut(text, []byte("\n"))
	if !bytes.HasPrefix(line, []byte(magic)) {
		return c, errNone
	}
	if string(line)+"\n" != fmt.Sprintf(firstLine, len(rest), crc32.Checksum(rest, castagnoli)) {
		return c, errDamaged
	}
	if err := gob.NewDecoder(bytes.NewReader(rest)).Decode(&c); err != nil {
		return c, fmt.Errorf("%w: %w", errDamaged, err)
	}
	return c, nil
}

// compare returns an error that names the first fact of the run that differs from one in the file.
func (f *File) compare(saved []Fact) error {
	there := map[string]string{}
	for _, s := range saved {
		there[s.Name] = s.Value
	}
	for _, here := range f.facts {
		value, ok := there[here.Name]
		if delete(there, here.Name); ok && value == here.Value {
			continue
		}
		return f.other(here.Name, value, here.Value)
	}
	for _, s := range saved {
		if value, ok := there[s.Name]; ok {
			return f.other(s.Name, value, "")
		}
	}
	return nil
}

func (f *File) other(name, there, here string) error {
	text := func(value string) string {
		if value == "" {
			return "nothing"
		}
		return value
	}
	return fmt.Errorf("%s is the checkpoint of another run: %s is %s there, and %s here; "+
		"remove it, or name another file", f.name, name, text(there), text(here))
}

// Load sets the zero value of a state to the state that Open found, and reports whether there was one.
func (f *File) Load(state any) (bool, error) {
	if f == nil || f.found == nil {
		return false, nil
	}
	if err := gob.NewDecoder(bytes.NewReader(f.found)).Decode(state); err != nil {
		return false, fmt.Errorf("%s was saved by another version of skelgo: %w; remove it to begin anew", f.name, err)
	}
	f.found = nil
	return true, nil
}

// Due reports whether it is time to save the state. All ranks get the answer of rank 0.
func (f *File) Due() bool { return f != nil && devices.Agree(f.Late()) }

// Late is Due for a part of the work that this rank computes alone. It is never true without a checkpoint.
func (f *File) Late() bool { return f != nil && time.Since(f.last) >= f.every }

// Save replaces the file by one with a state. If that fails, the file is left as it was, and
// Failed is called.
func (f *File) Save(state any) {
	if f == nil {
		return
	}
	err := f.write(state)
	f.last = time.Now()
	if err != nil && f.Failed != nil {
		f.Failed(err)
	}
}

func (f *File) write(state any) error {
	c := content{Facts: f.facts, Saved: time.Now()}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(state); err != nil {
		return err
	}
	c.State = b.Bytes()
	var all bytes.Buffer
	if err := gob.NewEncoder(&all).Encode(c); err != nil {
		return err
	}
	return output.Write(f.name, func(w io.Writer) error {
		rest := all.Bytes()
		if _, err := fmt.Fprintf(w, firstLine, len(rest), crc32.Checksum(rest, castagnoli)); err != nil {
			return err
		}
		_, err := w.Write(rest)
		return err
	})
}

// Remove removes the file, at the end of a run.
func (f *File) Remove() error {
	if f == nil {
		return nil
	}
	var s output.Set
	s.Remove(f.name)
	return s.Commit()
}

// Digest describes values by their number and a checksum, for a fact about data.
func Digest[T any](values ...[]T) string {
	n, sum := 0, crc32.New(castagnoli)
	for _, v := range values {
		n += len(v)
		_, _ = sum.Write(devices.Bytes(v)) // never fails
	}
	return fmt.Sprintf("%d values with crc32c %08x", n, sum.Sum32())
}

// What DigestAt reads: everything if it is at most wholeBytes, or samples.
const (
	wholeBytes  = 1 << 30
	samples     = 64
	sampleBytes = 1 << 16
)

// DigestAt describes size bytes of data by a checksum: of all, or if they are too many to be read for that, of
// samples at equal distances. It is the same for data in memory and in a file, because a run may go on where more or
// less of them fits.
func DigestAt(r io.ReaderAt, size int64) (string, error) { return digestAt(r, size, wholeBytes) }

func digestAt(r io.ReaderAt, size, whole int64) (string, error) {
	sum := crc32.New(castagnoli)
	if size <= whole {
		if n, err := io.Copy(sum, io.NewSectionReader(r, 0, size)); err != nil || n < size {
			return "", cmp.Or(err, io.ErrUnexpectedEOF)
		}
		return fmt.Sprintf("%d bytes with crc32c %08x", size, sum.Sum32()), nil
	}
	block := make([]byte, min(size, sampleBytes))
	for i := range int64(samples) {
		if _, err := r.ReadAt(block, i*(size-int64(len(block)))/(samples-1)); err != nil && !errors.Is(err, io.EOF) {
			return "", err
		}
		_, _ = sum.Write(block)
	}
	return fmt.Sprintf("%d bytes, samples of which have crc32c %08x", size, sum.Sum32()), nil
}
