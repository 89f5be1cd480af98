// Where a stencil finds element (i, j) of rows x cols, or of what lies around
// them. PADDING is the rule: 0 the nearest element, 1 the neutral value, 2 the
// other end. With a HALO, a second buffer holds RADIUS rows from before the first
// row and RADIUS from behind the last, in this order, of which ends says which are
// to be used: 1 those before, 2 those behind. Of a vector, which is one row, they
// are columns.
typedef struct {
	i64 at;     // the element in its buffer
	i32 buffer; // 0: none, it is the neutral value; 1 the input; 2 the halo
} skel_place;

FUNC i64 skel_padded(i64 i, i64 n) {
#if PADDING == 0
	return i < 0 ? 0 : i >= n ? n - 1 : i;
#elif PADDING == 1
	return i >= 0 && i < n ? i : -1;
#else
	if (i >= 0 && i < n) return i;
	i %= n;
	return i < 0 ? i + n : i;
#endif
}

FUNC skel_place skel_find(i64 i, i64 j, i64 rows, i64 cols, i32 ends) {
	skel_place p;
	p.buffer = 1;
#ifdef HALO
#ifdef VECTOR
	if ((j < 0 && ends & 1) || (j >= cols && ends & 2)) {
		p.at = j < 0 ? j + WINDOW_COLS : j - cols + WINDOW_COLS;
		p.buffer = 2;
		return p;
	}
#else
	if ((i < 0 && ends & 1) || (i >= rows && ends & 2)) {
		i = i < 0 ? i + WINDOW_ROWS : i - rows + WINDOW_ROWS;
		j = skel_padded(j, cols);
		p.at = i * cols + j;
		p.buffer = j < 0 ? 0 : 2;
		return p;
	}
#endif
#endif
	i = skel_padded(i, rows);
	j = skel_padded(j, cols);
	if (i < 0 || j < 0) p.buffer = 0;
	p.at = i * cols + j;
	return p;
}
