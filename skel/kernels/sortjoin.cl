// sortjoin merges two neighbouring sorted runs, elements [0, na) and [na, n) from
// element base on, and the values that belong to
// them. Where elements are equal, those of the first run come first. Each work-item of a CPU, or group of a
// GPU, merges the elements of one tile of the result; sortsplit has computed how many of the elements before it
// come from the first run (merge path; Odeh, Green, Mwassi, Shmueli and Birk 2012).
//
// If less is not a strict weak order, the parts that the lanes of a GPU find by bisection may overlap. Lanes
// compare where a part ends with where the next one begins, as in sortlocal.cl; if any differ, the tile holds
// its part of the first run and then that of the second, so the result has all elements in any case.
#ifdef V
#define VALUES_P , GLOBAL const V *values, GLOBAL V *values_out
#define PUT_VALUE(to, at) values_out[to] = values[at];
#define MOVE_VALUES values += base; values_out += base;
#else
#define VALUES_P
#define PUT_VALUE(to, at)
#define MOVE_VALUES
#endif

KERNEL sortjoin(CTX_K SRC_P GLOBAL const T *from, GLOBAL T *out, i64 base, GLOBAL const i64 *splits VALUES_P,
	i64 na, i64 n, i64 tile) {
	from += base;
	out += base;
	MOVE_VALUES
	i64 lo = group_id() * tile, hi = lo + tile < n ? lo + tile : n;
	i64 a = splits[group_id()], a_end = splits[group_id() + 1], b = na + lo - a, b_end = na + hi - a_end;
#ifdef SHAPE_CPU
	for (i64 i = lo; i < hi; i++) {
		int second = a >= a_end || (b < b_end && BEFORE(from[b], from[a]));
		i64 at = second ? b++ : a++;
		out[i] = from[at];
		PUT_VALUE(i, at)
	}
#else
	LOCAL T part[TILE];
	LOCAL u16 places[TILE];
	LOCAL int begins[LANES + 1];
	LOCAL int disorder;
	int lane = (int)lane_id(), in_a = (int)(a_end - a), in_all = (int)(hi - lo);
	for (int k = lane; k < in_all; k += LANES)
		part[k] = k < in_a ? from[a + k] : from[b + (k - in_a)];
	if (lane == 0)
		disorder = 0;
	BARRIER();
	int diagonal = lane * ITEMS < in_all ? lane * ITEMS : in_all, in_b = in_all - in_a;
	int least = diagonal - in_b > 0 ? diagonal - in_b : 0, most = diagonal < in_a ? diagonal : in_a;
	while (least < most) {
		int middle = (least + most) / 2;
		if (BEFORE(part[in_a + diagonal - 1 - middle], part[middle]))
			most = middle;
		else
			least = middle + 1;
	}
	begins[lane] = least;
	int next_a = least, next_b = in_a + diagonal - least;
	for (int k = 0; k < ITEMS; k++)
		if (diagonal + k < in_all) {
			int second = next_a >= in_a || (next_b < in_all && BEFORE(part[next_b], part[next_a]));
			places[diagonal + k] = (u16)(second ? next_b++ : next_a++);
		}
	BARRIER();
	if (diagonal < in_all && next_a != (diagonal + ITEMS < in_all ? begins[lane + 1] : in_a))
		disorder = 1;
	BARRIER();
	int ordered = !disorder;
	for (int k = lane; k < in_all; k += LANES) {
		int at = ordered ? places[k] : k;
		out[lo + k] = part[at];
		PUT_VALUE(lo + k, at < in_a ? a + at : b + (at - in_a))
	}
#endif
}
