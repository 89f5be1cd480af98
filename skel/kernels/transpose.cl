// transpose writes element (r, c) of a block of rows x cols elements to out[to + c * out_pitch + r]; it is
// element from + r * pitch + c of the input (skel/transpose.go). Tiles of S x S elements go through local
// memory, so that both the reads and the writes are of neighbours.
#ifdef SHAPE_CPU
// A work-item moves `chunk` tiles. A tile goes through memory of its own: the rows of large matrices lie at
// the same place in the cache.
KERNEL transpose(CTX_K SRC_P GLOBAL T *out, i64 rows, i64 cols, i64 from, i64 pitch, i64 to, i64 out_pitch, i64 chunk) {
	T tile[S * S];
	i64 across = (cols + S - 1) / S, tiles = (rows + S - 1) / S * across;
	i64 first = group_id() * chunk, last = first + chunk < tiles ? first + chunk : tiles;
	for (i64 b = first; b < last; b++) {
		i64 r0 = b / across * S, c0 = b % across * S;
		i64 height = rows - r0 < S ? rows - r0 : S, width = cols - c0 < S ? cols - c0 : S;
		for (i64 r = 0; r < height; r++) {
			i64 row = from + (r0 + r) * pitch + c0;
			for (i64 c = 0; c < width; c++)
				tile[r * S + c] = load(CTX_A SRC_A row + c);
		}
		for (i64 c = 0; c < width; c++) {
			GLOBAL T *column = out + to + (c0 + c) * out_pitch + r0;
			for (i64 r = 0; r < height; r++)
				column[r] = tile[r * S + c];
		}
	}
}
#else

#define EACH_OF(k) UNROLL for (int k = 0; k < V; k++)

// A group moves a tile. Tiles that follow each other are below each other, so that the groups which run at
// a time write to neighbouring places of the same rows of the output.
KERNEL_OF(LANES, 2) transpose(CTX_K SRC_P GLOBAL T *out, i64 rows, i64 cols, i64 from, i64 pitch, i64 to, i64 out_pitch, i64 chunk) {
	i64 down = (rows + S - 1) / S, r0 = group_id() % down * S, c0 = group_id() / down * S;
#if V > 1
	// Rows and columns are multiples of V. A lane transposes V x V elements in registers, so that the group
	// moves whole vectors: L vectors are a row of the tile. The vectors of a row are permuted, so that
	// neither access to the tile has bank conflicts.
	LOCAL VECTOR tile[S * L];
	union {
		T e[V];
		VECTOR v;
	} in[V], turned;
	int x = (int)lane_id() % L, y = (int)lane_id() / L;
	if (r0 + y * V < rows && c0 + x * V < cols) {
		EACH_OF(j) load_chunk(CTX_A SRC_A from + (r0 + y * V + j) * pitch + c0 + x * V, in[j].e);
	}
	EACH_OF(j) {
		EACH_OF(k) turned.e[k] = in[k].e[j];
		tile[(x * V + j) * L + (y ^ x)] = turned.v;
	}
	BARRIER();
	EACH_OF(j) {
		int c = y + j * L;
		if (r0 + x * V < rows && c0 + c < cols)
			*(GLOBAL VECTOR *)(out + to + (c0 + c) * out_pitch + r0 + x * V) = tile[c * L + (x ^ c / V)];
	}
#else
	LOCAL T tile[S * (S + 1)]; // the additional column avoids bank conflicts
	int x = (int)lane_id() % S, y = (int)lane_id() / S;
	UNROLL
	for (int j = 0; j < S; j += STEP)
		if (y + j < S && r0 + y + j < rows && c0 + x < cols)
			tile[(y + j) * (S + 1) + x] = load(CTX_A SRC_A from + (r0 + y + j) * pitch + c0 + x);
	BARRIER();
	UNROLL
	for (int j = 0; j < S; j += STEP)
		if (y + j < S && r0 + x < rows && c0 + y + j < cols)
			out[to + (c0 + y + j) * out_pitch + r0 + x] = tile[x * (S + 1) + y + j];
#endif
}
#endif
