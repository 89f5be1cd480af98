// foldany has the function fold_in, which combines words of local memory in any order. FOLD_ADD, FOLD_AND,
// FOLD_OR, FOLD_XOR, FOLD_MIN or FOLD_MAX says how. A total is a WORD of 4 bytes, or of 8 with LONG.
#define HALF(total) ((LOCAL_PTR u32 *)(total)) // the low word comes first

// fold_in combines a total with x.
FUNC void fold_in(LOCAL_PTR WORD *total, WORD x) {
#ifdef LONG // in words of 32 bits, as OpenCL may have no others
	u32 low = (u32)x, high = (u32)((u64)x >> 32);
#if defined(FOLD_ADD)
	if (low != 0) {
		u32 old = ATOMIC_ADD(HALF(total), low);
		high += old + low < low; // carry
	}
	if (high != 0)
		ATOMIC_ADD(HALF(total) + 1, high);
#elif defined(FOLD_AND)
	ATOMIC_AND(HALF(total), low);
	ATOMIC_AND(HALF(total) + 1, high);
#elif defined(FOLD_OR)
	ATOMIC_OR(HALF(total), low);
	ATOMIC_OR(HALF(total) + 1, high);
#else
	ATOMIC_XOR(HALF(total), low);
	ATOMIC_XOR(HALF(total) + 1, high);
#endif
#elif defined(FOLD_ADD)
	ATOMIC_ADD(HALF(total), x);
#elif defined(FOLD_AND)
	ATOMIC_AND(HALF(total), (u32)x);
#elif defined(FOLD_OR)
	ATOMIC_OR(HALF(total), (u32)x);
#elif defined(FOLD_XOR)
	ATOMIC_XOR(HALF(total), (u32)x);
#elif defined(FOLD_MIN)
	ATOMIC_MIN(total, x);
#else
	ATOMIC_MAX(total, x);
#endif
}
