package bench

import "errors"

// cases adds the kernels written by hand to the tasks.
func (r *raw) cases(tasks []Task) error {
	var errs []error
	prepare := func(name string, global, local int, args ...any) step {
		s, err := r.step(name, global, local, args...)
		errs = append(errs, err)
		return s
	}
	n, chunks := uint64(r.n), r.chunks()
	for _, form := range []struct {
		impl, suffix string
		width        int
	}{{"hand", "", 1}, {"hand16", "_wide", 16}} {
		perGroup := lanes * form.width
		items := (r.n + perGroup - 1) / perGroup * lanes
		add(tasks, "Map", r.elements(form.impl, prepare("map"+form.suffix, items, lanes, r.x, r.out, n)))
		add(tasks, "Zip", r.elements(form.impl, prepare("zip"+form.suffix, items, lanes, r.x, r.y, r.out, n)))

		reduce := prepare("reduce"+form.suffix, chunks, 1, r.x, r.part, n)
		finish := prepare("finish", 1, 1, r.part, uint64(chunks))
		add(tasks, "Reduce", r.number(form.impl, reduce, finish))
		product := prepare("product"+form.suffix, chunks, 1, r.x, r.y, r.part, n)
		add(tasks, "Dot", r.number(form.impl, product, finish))
		offsets := prepare("offsets", 1, 1, r.part, uint64(chunks))
		scan := prepare("scan"+form.suffix, chunks, 1, r.x, r.part, r.out, n)
		add(tasks, "Scan", r.elements(form.impl, reduce, offsets, scan))
	}
	return errors.Join(errs...)
}
