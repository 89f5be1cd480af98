package bench

import "errors"

// ways are the tasks as kernels written by hand.
func (r *raw) ways() (all []way, _ error) {
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
		all = append(all, r.elements("Map", form.impl, prepare("map"+form.suffix, items, lanes, r.x, r.out, n)))
		all = append(all, r.elements("Zip", form.impl, prepare("zip"+form.suffix, items, lanes, r.x, r.y, r.out, n)))

		reduce := prepare("reduce"+form.suffix, chunks, 1, r.x, r.part, n)
		finish := prepare("finish", 1, 1, r.part, uint64(chunks))
		all = append(all, r.number("Reduce", form.impl, reduce, finish))
		product := prepare("product"+form.suffix, chunks, 1, r.x, r.y, r.part, n)
		all = append(all, r.number("Dot", form.impl, product, finish))
		offsets := prepare("offsets", 1, 1, r.part, uint64(chunks))
		scan := prepare("scan"+form.suffix, chunks, 1, r.x, r.part, r.out, n)
		all = append(all, r.elements("Scan", form.impl, reduce, offsets, scan))
	}
	return all, errors.Join(errs...)
}
