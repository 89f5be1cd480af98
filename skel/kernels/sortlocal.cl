// Stable sorting by merging (skel/sort_merge.go). An element E is a key with what is carried along: nothing,
// a value, or the position of the key in the input. With BY_POSITION an element is a position only, and the
// key is read whenever it is compared.
//
// On a GPU a lane sorts a run of ITEMS elements in registers. Then pairs of neighbouring runs are merged in
// local memory until one is left. Each lane finds by bisection where its part of the merged run begins in
// both halves (the merge path of Odeh, Green, Mwassi, Shmueli and Birk 2012), and merges ITEMS elements from
// there. On a CPU a work-item sorts a tile alone.
//
// If less is not a strict weak order, parts that were found by bisection may overlap. Bisections are
// bounded, so nothing outside the runs is read. Lanes compare where a part ends with where the next one
// begins; if any differ, the elements are left as they were. So the result has all elements in any case.

#if defined(BY_POSITION)
typedef P E;
#define KEY(e) load(CTX_A SRC_A (i64)(e))
#define CARRIED(e) (e)
#define MAKE(e, i) e = (P)(i)
#elif defined(P)
typedef struct {
	K k;
	P p;
} E;
#define KEY(e) (e).k
#define CARRIED(e) (e).p
#define MAKE(e, i) \
	do { \
		MAKE_KEY((e).k, i); \
		(e).p = CARRY(i); \
	} while (0)
#else
typedef K E;
#define KEY(e) (e)
#define MAKE(e, i) MAKE_KEY(e, i)
#endif

// Elements are compared by their keys. Of numbers, NaN comes last.
#ifdef KEYED
#define MAKE_KEY(k, i) k = KEY_OF(load(CTX_A SRC_A i))
#else
#define MAKE_KEY(k, i) k = load(CTX_A SRC_A i)
#endif
FUNC int comes_first(CTX_P SRC_P E b, E a) {
#if defined(KEYED)
	return KEY(b) < KEY(a);
#elif defined(VALUED_UP)
	return KEY(b) < KEY(a) || (KEY(a) != KEY(a) && KEY(b) == KEY(b));
#elif defined(VALUED_DOWN)
	return KEY(b) > KEY(a) || (KEY(a) != KEY(a) && KEY(b) == KEY(b));
#else
	return BEFORE(KEY(b), KEY(a));
#endif
}

// What is carried, and how the results are stored: elements, and values or positions. Those in rows count
// from the first column; others begin at offset, the first element of a device's part.
#if defined(CARRY_ELEMENT)
#define CARRY(i) load(CTX_A SRC_A i)
#define ELEMENT(e) CARRIED(e)
#elif defined(CARRY_VALUE)
#define CARRY(i) value(CTX_A SRC_A i)
#else
#define CARRY(i) (P)(i)
#endif
#ifndef ELEMENT
#if defined(KEYED) || defined(BY_POSITION)
#define ELEMENT(e) load(CTX_A SRC_A (i64)CARRIED(e))
#else
#define ELEMENT(e) KEY(e)
#endif
#endif
#ifdef CARRY_VALUE
#define VALUE(e) CARRIED(e)
#else
#define VALUE(e) value(CTX_A SRC_A (i64)CARRIED(e))
#endif
#ifdef ELEMENTS
#define ELEMENTS_P GLOBAL T *elements,
#define ELEMENTS_A elements,
#define PUT_ELEMENT(i, e) elements[i] = ELEMENT(e);
#else
#define ELEMENTS_P
#define ELEMENTS_A
#define PUT_ELEMENT(i, e)
#endif
#if defined(POSITIONS)
#define CARRIED_P GLOBAL i64 *positions, i64 offset,
#define CARRIED_A positions, offset,
#define PUT_CARRIED(i, e, start) positions[i] = offset + (i64)CARRIED(e) - (start);
#elif defined(VALUES)
#define CARRIED_P GLOBAL V *values,
#define CARRIED_A values,
#define PUT_CARRIED(i, e, start) values[i] = VALUE(e);
#else
#define CARRIED_P
#define CARRIED_A
#define PUT_CARRIED(i, e, start)
#endif
#define OUT_P ELEMENTS_P CARRIED_P
#define OUT_A ELEMENTS_A CARRIED_A
// PUT stores e as element i of the results; its position counts from start.
#define PUT(i, e, start) \
	do { \
		PUT_ELEMENT(i, e) \
		PUT_CARRIED(i, e, start) \
	} while (0)
#ifdef COLUMNS
#define ORIGIN(start) (start)
#else
#define ORIGIN(start) 0
#endif

// BUFFER is where elements are if `left` passes follow: the last pass ends in the results, whose place is
// that of buffer one.
#define BUFFER(left) ((left) % 2 ? two : one)
#define BUFFERS_P GLOBAL E *one, GLOBAL E *two,
#define BUFFERS_A one, two,

// passes_of returns the number of passes that merge n elements after their tiles are sorted.
FUNC int passes_of(i64 n) {
	int p = 0;
	while (((i64)TILE << p) < n)
		p++;
	return p;
}

// State is what the launches of a sort share: for each slot of a tile, the cut of its pair of runs
// (sortcuts.cl) and a mark on broken pairs; and for each pass whether a ragged segment takes part in it.
#define STATE_P GLOBAL i64 *state, i64 slots
#define BROKEN (state + slots)
#define ACTIVE (state + 2 * slots)
#ifdef OWNED
#define NEEDED(p) (ACTIVE[p] != 0)
#else
#define NEEDED(p) 1
#endif

#ifdef SHAPE_CPU
#define SHORT 16 // elements that are sorted by insertion

// merge_parts merges from[a .. a_end-1] and from[b .. b_end-1] into `to`.
FUNC void merge_parts(CTX_P SRC_P GLOBAL const E *from, i64 a, i64 a_end, i64 b, i64 b_end, GLOBAL E *to) {
	i64 i = 0;
	while (a < a_end && b < b_end) {
		if (comes_first(CTX_A SRC_A from[b], from[a]))
			to[i++] = from[b++];
		else
			to[i++] = from[a++];
	}
	while (a < a_end)
		to[i++] = from[a++];
	while (b < b_end)
		to[i++] = from[b++];
}

// sort_tile sorts elements [lo, hi), which `left` passes will merge with others.
FUNC void sort_tile(CTX_P SRC_P OUT_P BUFFERS_P i64 lo, i64 hi, i64 start, int left) {
	int rounds = 0;
	while (((i64)SHORT << rounds) < hi - lo)
		rounds++;
	GLOBAL E *from = BUFFER(left + rounds);
	for (i64 i = lo; i < hi; i++) {
		i64 first = lo + (i - lo) / SHORT * SHORT, at = i;
		E e;
		MAKE(e, i);
		for (; at > first && comes_first(CTX_A SRC_A e, from[at - 1]); at--)
			from[at] = from[at - 1];
		from[at] = e;
	}
	for (i64 width = SHORT; width < hi - lo; width *= 2) {
		GLOBAL E *to = BUFFER(left + --rounds);
		for (i64 a = lo; a < hi; a += 2 * width) {
			i64 mid = a + width < hi ? a + width : hi, end = mid + width < hi ? mid + width : hi;
			merge_parts(CTX_A SRC_A from, a, mid, mid, end, to + a);
		}
		from = to;
	}
	if (left == 0)
		for (i64 i = lo; i < hi; i++)
			PUT(i, from[i], start);
}
#else

// A group has room for a tile, and for what merge_run reads beyond its last run.
#define ROOM_LOCALS \
	DYNAMIC(room); \
	LOCAL_PTR E *s = (LOCAL_PTR E *)room; \
	LOCAL int begins[LANES + 1]; \
	LOCAL int disorder;

// sort_run sorts n <= ITEMS elements by an odd-even transposition network, which is stable.
FUNC void sort_run(CTX_P SRC_P E *r, int n) {
	UNROLL
	for (int round = 0; round < ITEMS; round++) {
		UNROLL
		for (int k = round & 1; k + 1 < ITEMS; k += 2)
			if (k + 1 < n && comes_first(CTX_A SRC_A r[k + 1], r[k])) {
				E x = r[k];
				r[k] = r[k + 1];
				r[k + 1] = x;
			}
	}
}

// split returns how many of the first `diagonal` elements of the merged runs belong to the first run,
// s[0 .. na-1]; the second run is s[na .. na+nb-1].
FUNC int split(CTX_P SRC_P LOCAL_PTR const E *s, int na, int nb, int diagonal) {
	int least = diagonal > nb ? diagonal - nb : 0, most = diagonal < na ? diagonal : na;
	while (least < most) {
		int mid = (least + most) / 2;
		if (comes_first(CTX_A SRC_A s[na + diagonal - 1 - mid], s[mid]))
			most = mid;
		else
			least = mid + 1;
	}
	return least;
}

// merge_run merges ITEMS elements of s[a .. a_end-1] and s[b .. b_end-1], or fewer if there are no more,
// and returns where it ends in the first of them.
FUNC int merge_run(CTX_P SRC_P LOCAL_PTR const E *s, int a, int a_end, int b, int b_end, E *r) {
	E x = s[a], y = s[b];
	UNROLL
	for (int k = 0; k < ITEMS; k++) {
		int second = b < b_end && (a >= a_end || comes_first(CTX_A SRC_A y, x));
		r[k] = second ? y : x;
		a += !second;
		b += second;
		E next = s[second ? b : a];
		x = second ? x : next;
		y = second ? next : y;
	}
	return a < a_end ? a : a_end;
}

// take_run reads run number `run` of a segment of n elements from s, and put_run writes it there.
FUNC int take_run(LOCAL_PTR const E *s, int n, int run, E *r) {
	int first = run * ITEMS, count = n - first < ITEMS ? n - first : ITEMS;
	UNROLL
	for (int k = 0; k < ITEMS; k++)
		if (k < count)
			r[k] = s[first + k];
	return count;
}

FUNC void put_run(LOCAL_PTR E *s, int n, int run, const E *r) {
	int first = run * ITEMS, count = n - first < ITEMS ? n - first : ITEMS;
	UNROLL
	for (int k = 0; k < ITEMS; k++)
		if (k < count)
			s[first + k] = r[k];
}

// sort_local sorts a segment of n elements in s, of which the lane has run number `run`. most is an upper
// bound on the runs of all segments of the group. Consecutive lanes have consecutive runs; begins has an
// element for each lane. All lanes of a group call sort_local together, after a barrier, and need a barrier
// before they read s. The result is 0 if less is not an order; then the elements in s are useless.
FUNC int sort_local(CTX_P SRC_P LOCAL_PTR E *s, LOCAL_PTR int *begins, int n, int run, int most) {
	int lane = (int)lane_id(), first = run * ITEMS, ordered = 1;
	E r[ITEMS];
	sort_run(CTX_A SRC_A r, take_run(s, n, run, r));
	for (int d = 1; d < most; d *= 2) {
		put_run(s, n, run, r);
		BARRIER();
		int begin = (run & -(2 * d)) * ITEMS, mid = begin + d * ITEMS, end = mid + d * ITEMS, at = 0, upto = 0;
		mid = mid < n ? mid : n;
		end = end < n ? end : n;
		if (first < n) {
			at = begin + split(CTX_A SRC_A s + begin, mid - begin, end - mid, first - begin);
			begins[lane] = at;
			upto = merge_run(CTX_A SRC_A s, at, mid, mid + first - at, end, r);
		}
		BARRIER();
		if (first < n && upto != (first + ITEMS < end ? begins[lane + 1] : mid))
			ordered = 0;
	}
	put_run(s, n, run, r);
	return ordered;
}
#endif
