// Finds the elements that a stencil reads: element (i, j) of a rows x cols input, or of the padding
// around it. PADDING is the rule beyond the ends: 0 repeats the nearest element, 1 is the neutral
// value, 2 wraps around to the other end.
//
// With HALO the kernel computes a part of a larger input. A second buffer then holds the WINDOW_ROWS
// rows before the first row, followed by the WINDOW_ROWS rows behind the last. ends says which of them
// replace the padding: bit 0 the rows before, bit 1 the rows behind. A vector is one row, so its halo
// consists of WINDOW_COLS columns at each end.
typedef struct {
	i64 at;     // index in the buffer
	i32 buffer; // 0: none, the element is the neutral value; 1: the input; 2: the halo
} skel_place;

// skel_padded applies the padding to index i of n: it returns an index inside, or -1 for the neutral value.
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

// skel_find returns where element (i, j) is.
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
