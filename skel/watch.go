package skel

import (
	"fmt"
	"path"
	"reflect"
	"runtime"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
)

// watch finds elements of out-views that two elements of the input write, in checked mode
// on the CPU. The out-views of a copy of the extra argument log which elements are set. A
// watched call runs on one goroutine and takes one element of the input at a time, so that
// it is known which one has written. Other devices find such elements in their C text
// (WRITER in codegen/emit/prelude.md).
type watch struct {
	fun   *function
	views []watchedView
}

// watchedView is one out-view of a watched call.
type watchedView struct {
	off    uintptr // in the extra argument
	n      int64   // number of elements
	cols   int64   // of a matrix; 0 for a vector
	set    []int   // the elements that the current element of the input has set
	owners []int   // for each element, 1 more than the element of the input that has set it, or 0
}

// newWatch returns the watch of the call m of f, or nil if its writes are not watched.
func newWatch(f *function, b *bound, m *meta) *watch {
	if b == nil || !b.plan.writes() || m.err != nil || !m.device().Native() || !m.device().Checked() {
		return nil
	}
	w, view, sizes := &watch{fun: f}, 0, b.watched()
	for _, l := range b.plan.leaves {
		if l.kind == array.NoView {
			continue
		}
		if l.kind == array.WriteVector || l.kind == array.WriteMatrix {
			v := watchedView{off: l.off, n: sizes[0]}
			if l.kind == array.WriteMatrix {
				v.cols = int64(b.heads[view].Cols)
			}
			if sizes = sizes[1:]; v.n > 0 {
				w.views = append(w.views, v)
			}
		}
		view++
	}
	if len(w.views) == 0 {
		return nil
	}
	return w
}

// logged returns a copy of the extra argument whose out-views log what is set.
func (w *watch) logged(extra *byte) *byte {
	e := driver.Clone(w.fun.plan.typ, extra)
	for i := range w.views {
		v := &w.views[i]
		driver.Field[array.Head](e, v.off).LogTo(&v.set)
	}
	return e
}

// each runs call for the elements [0, n) of the input, one after the other. It panics if two of
// them write one element of an out-view.
func (w *watch) each(n int, call func(i int)) {
	for k := range w.views {
		v := &w.views[k]
		v.owners, v.set = make([]int, v.n), v.set[:0]
	}
	for i := range n {
		call(i)
		for k := range w.views {
			w.own(&w.views[k], i)
		}
	}
}

// own makes element i of the input the owner of the elements that it has set.
func (w *watch) own(v *watchedView, i int) {
	for _, at := range v.set {
		if other := v.owners[at] - 1; other >= 0 && other != i {
			panic(&devices.CheckError{Kind: devices.TwoWriters, Pos: w.fun.declared(), Func: w.fun.name,
				Index: int64(at), Cols: v.cols, Other: int64(other), At: int64(i)})
		}
		v.owners[at] = i + 1
	}
	v.set = v.set[:0]
}

// declared returns the line at which the function begins; "" if that is not known.
func (f *function) declared() string {
	pc := reflect.ValueOf(f.f).Pointer()
	fn := runtime.FuncForPC(pc)
	if fn == nil {
		return ""
	}
	file, line := fn.FileLine(pc)
	return fmt.Sprintf("%s:%d", path.Base(file), line)
}

// watched makes the native form of p a single group that calls one element of the input
// after the other, watched by w.
func (p *program) watched(w *watch, n nativeLen, call func(s *scratch, i int)) {
	p.groups, p.merge = 1, false
	p.native = func(driver.Group) {
		withScratch(func(s *scratch) {
			m := s.mark()
			w.each(n.now(), func(i int) {
				call(s, i)
				s.release(m)
			})
		})
	}
}
