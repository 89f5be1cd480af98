// What the kernels of selections share (skel/select_call.go). The results are the elements that are kept
// (VALUES), their indices (INDICES) and the other elements (REST), in their order.
//
// KEEPS(i, left, x) says whether element i, which is x, is kept: by its flag (FLAGGED), if it is not the
// same as its left neighbour (NEIGHBOURS), or by the user's predicate. HAS_LEFT is 1 if element 0 has a
// left neighbour, which is on another device.
#ifdef VALUES
#define VALUES_P GLOBAL T *RESTRICT values,
#else
#define VALUES_P
#endif
#ifdef INDICES
#define INDICES_P GLOBAL i64 *RESTRICT indices,
#else
#define INDICES_P
#endif
#ifdef REST
#define REST_P GLOBAL T *RESTRICT rest,
#define REST_COUNT_P GLOBAL i64 *rest_count,
#define PUT_REST_COUNT(n) rest_count[0] = (n)
#else
#define REST_P
#define REST_COUNT_P
#define PUT_REST_COUNT(n)
#endif

#ifdef HAS_LEFT
#define LEFT_P GLOBAL const T *left_at,
#define FIRST_LEFT left_at[0]
#else
#define LEFT_P
#define FIRST_LEFT load(CTX_A SRC_A 0)
#define HAS_LEFT 0
#endif

#if defined(FLAGGED)
#define KEEPS(i, left, x) (flag(CTX_A SRC_A i) != 0)
#elif defined(NEIGHBOURS)
#define KEEPS(i, left, x) ((!HAS_LEFT && (i) == 0) || !same(CTX_A SRC_A left, x))
#else
#define KEEPS(i, left, x) (keep(CTX_A SRC_A x) != 0)
#endif

// LEFT_OF(i) is the left neighbour of element i, where neighbours are compared.
#ifdef NEIGHBOURS
#define LEFT_OF(i) ((i) > 0 ? load(CTX_A SRC_A (i) - 1) : FIRST_LEFT)
#else
#define LEFT_OF(i) load(CTX_A SRC_A i)
#endif
