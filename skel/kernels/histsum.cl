// histsum adds the rows of counts that groups or devices have counted: out[k] is the sum of rows[r * bins + k], plus
// its earlier value if `more` is not 0. COUNT is the type of a count.
#ifdef SHAPE_CPU
KERNEL histsum(CTX_K GLOBAL const COUNT *rows, GLOBAL i64 *out, i64 bins, i64 count, i32 more) {
	for (i64 k = group_id() * bins / groups(); k < (group_id() + 1) * bins / groups(); k++) {
		i64 n = more ? out[k] : 0;
		for (i64 r = 0; r < count; r++)
			n += (i64)rows[r * bins + k];
		out[k] = n;
	}
}
#else
// A group adds LANES / DEEP neighbouring columns; DEEP lanes share a column.
#define WIDE (LANES / DEEP)
KERNEL_OF(LANES, 1) histsum(CTX_K GLOBAL const COUNT *rows, GLOBAL i64 *out, i64 bins, i64 count, i32 more) {
	LOCAL i64 sums[LANES];
	int lane = (int)lane_id();
	i64 k = group_id() * WIDE + lane % WIDE, n = 0;
	if (k < bins)
		for (i64 r = lane / WIDE; r < count; r += DEEP)
			n += (i64)rows[r * bins + k];
	sums[lane] = n;
	BARRIER();
	if (lane < WIDE && k < bins) {
		for (int j = 1; j < DEEP; j++)
			n += sums[j * WIDE + lane];
		out[k] = more ? out[k] + n : n;
	}
}
#endif
