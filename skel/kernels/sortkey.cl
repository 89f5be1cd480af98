// key_bits maps a number key to an unsigned integer, so that the order of these integers is the order of
// the sort (skel/sort_key.go). BEFORE compares elements by their keys.
#ifdef KEY_DESCENDING
#define KEY_ZERO ((KEY_U)~(KEY_U)0 >> 1)
#else
#define KEY_ZERO ((KEY_U)1 << (KEY_WIDTH - 1))
#endif
FUNC KEY_U key_bits(KEY_T x) {
#if defined(KEY_FLOAT)
	KEY_U u = KEY_FLOAT(x);
	u ^= (KEY_U)((KEY_U)0 - (u >> (KEY_WIDTH - 1))) | (KEY_U)1 << (KEY_WIDTH - 1);
#ifdef KEY_DESCENDING
	u = ~u;
#endif
	u = x == 0 ? KEY_ZERO : u;
	return x != x ? ~(KEY_U)0 : u;
#else
	KEY_U u = (KEY_U)x;
#ifdef KEY_SIGNED
	u ^= (KEY_U)((KEY_U)1 << (KEY_WIDTH - 1));
#endif
#ifdef KEY_DESCENDING
	u = (KEY_U)~u;
#endif
	return u;
#endif
}
#define BEFORE(a, b) (KEY_OF(a) < KEY_OF(b) ? 1 : 0)
