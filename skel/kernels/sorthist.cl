// sorthist is the first launch of a radix sort on devices with warps: it counts the values of all digits in
// one pass over the elements, and plans the passes (sortplan.cl). The groups add their counts in the
// memory counts, which is zero between launches; the last group turns the counts into the starts of the
// values. counts begins with a word for arrive_last; each count is a word of low and one of high bits.
//
// With KEEP_KEYS the bits of the keys are stored in keys, and with KEEP the elements in kept, so that both
// are computed only once. A lane loads AHEAD elements at once.
#ifdef KEEP_KEYS
#define KEYS_P , GLOBAL KEY_U *keys
#else
#define KEYS_P
#endif
#ifdef KEEP
#define KEPT_P , GLOBAL T *kept
#else
#define KEPT_P
#endif

KERNEL_OF(LANES, 1) sorthist(CTX_K SRC_P GLOBAL u32 *counts, GLOBAL u32 *state, i64 n, i64 look_words, i32 even KEYS_P KEPT_P) {
	LOCAL u32 count[DIGITS * BINS];
	LOCAL int last, used[DIGITS];
	int lane = (int)lane_id();
	for (int k = lane; k < DIGITS * BINS; k += LANES)
		count[k] = 0;
	for (i64 k = group_id() * LANES + lane; k < look_words; k += groups() * LANES)
		state[LOOK + k] = 0;
	if (group_id() == 0 && lane < 8)
		state[TICKETS + lane] = 0;
	BARRIER();
	i64 step = AHEAD * LANES;
	for (i64 lo = group_id() * step; lo < n; lo += groups() * step) {
		KEY_U bits[AHEAD];
		if (lo + step <= n) {
			UNROLL
			for (int k = 0; k < AHEAD; k++) {
				i64 i = lo + k * LANES + lane;
				T x = load(CTX_A SRC_A i);
				bits[k] = KEY_OF(x);
#ifdef KEEP
				kept[i] = x;
#endif
#ifdef KEEP_KEYS
				keys[i] = bits[k];
#endif
			}
			UNROLL
			for (int k = 0; k < AHEAD; k++) {
				UNROLL
				for (int d = 0; d < DIGITS; d++)
					ATOMIC_ADD(&count[d * BINS + (int)(bits[k] >> (8 * d) & 255)], 1);
			}
		} else {
			for (i64 i = lo + lane; i < n; i += LANES) {
				T x = load(CTX_A SRC_A i);
				KEY_U b = KEY_OF(x);
#ifdef KEEP
				kept[i] = x;
#endif
#ifdef KEEP_KEYS
				keys[i] = b;
#endif
				for (int d = 0; d < DIGITS; d++)
					ATOMIC_ADD(&count[d * BINS + (int)(b >> (8 * d) & 255)], 1);
			}
		}
	}
	BARRIER();
	for (int k = lane; k < DIGITS * BINS; k += LANES) {
		u32 c = count[k];
		if (c > 0 && ATOMIC_ADD(&counts[1 + 2 * k], c) + c < c) // a carry
			ATOMIC_ADD(&counts[2 + 2 * k], 1);
	}
	FENCE();
	BARRIER();
	if (lane == 0)
		last = arrive_last(counts);
	BARRIER();
	if (!last)
		return;
	FENCE();
	int in_warp = lane % SKEL_WARP, d = lane / SKEL_WARP;
	if (d < DIGITS) { // a warp for each digit, BINS / SKEL_WARP values for each lane
		u64 c[BINS / SKEL_WARP], upto = 0, own, other;
		int same = 0;
		UNROLL
		for (int k = 0; k < BINS / SKEL_WARP; k++) {
			GLOBAL volatile u32 *at = counts + 1 + 2 * (d * BINS + in_warp * (BINS / SKEL_WARP) + k);
			c[k] = (u64)at[1] << 32 | at[0];
			at[0] = 0;
			at[1] = 0;
			upto += c[k];
			same |= c[k] == (u64)n;
		}
		own = upto;
		UNROLL
		for (int k = 1; k < SKEL_WARP; k *= 2) {
			int from = in_warp >= k ? in_warp - k : in_warp;
			other = (u64)WARP_WORD(upto >> 32, from) << 32;
			other |= WARP_WORD(upto, from);
			if (in_warp >= k)
				upto += other;
		}
		upto -= own;
		UNROLL
		for (int k = 0; k < BINS / SKEL_WARP; k++) {
			((GLOBAL u64 *)(state + STARTS))[d * BINS + in_warp * (BINS / SKEL_WARP) + k] = upto;
			upto += c[k];
		}
		u32 any = WARP_BALLOT(same);
		if (in_warp == 0)
			used[d] = any == 0;
	}
	BARRIER();
	if (lane > 0)
		return;
	int passes = 0;
	for (int k = 0; k < DIGITS; k++)
		passes += used[k];
	// A sort from one place to another needs a pass, and a sort in place an even number of them.
	for (int k = DIGITS - 1; k >= 0; k--)
		if (!used[k] && (even ? passes % 2 == 1 : passes == 0)) {
			used[k] = 1;
			passes++;
		}
	state[PASSES] = (u32)passes;
	passes = 0;
	for (int k = 0; k < DIGITS; k++)
		state[PLAN + k] = used[k] ? (u32)(++passes) : 0;
}
