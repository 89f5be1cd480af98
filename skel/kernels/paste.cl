// paste copies n elements, rows of `width` elements that follow each other, into the rows of a larger
// matrix: row r begins at out[to + r * pitch] (skel/transpose.go).
KERNEL paste(CTX_K SRC_P GLOBAL T *out, i64 n, i64 chunk, i64 width, i64 to, i64 pitch) {
	i64 lo = (group_id() * lanes() + lane_id()) * chunk, hi = lo + chunk < n ? lo + chunk : n;
	for (i64 i = lo; i < hi; i++)
		out[to + i / width * pitch + i % width] = load(CTX_A SRC_A i);
}
