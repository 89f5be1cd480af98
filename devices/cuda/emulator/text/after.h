
/* after.h comes between prelude.cu and the program: what prelude.cu says of
   local memory, of copies to it and of the size of groups, as it is here, and
   how a launch finds the kernel. */
#undef DYNAMIC
#define DYNAMIC(name) u8 *name = (u8 *)skel_dynamic()
#undef COPY16
#undef COPY_COMMIT
#undef COPY_WAIT
extern "C" void skel_copy(void *to, const void *from), skel_copy_commit(), skel_copy_wait(int n);
#define COPY16(to, from) skel_copy((to), (from))
#define COPY_COMMIT() skel_copy_commit()
#define COPY_WAIT(n) skel_copy_wait(n)

#undef KERNEL_OF
#define KERNEL_OF(lanes, groups) \
	extern "C" { int skel_bound = (lanes); } \
	extern "C" __global__ void

template <int... I> struct skel_places {};
template <int N, int... I> struct skel_upto : skel_upto<N - 1, N - 1, I...> {};
template <int... I> struct skel_upto<0, I...> { typedef skel_places<I...> type; };
template <class... P, int... I> static inline void skel_call(void (*f)(P...), void **args, skel_places<I...>) { f(*(P *)args[I]...); }
template <class... P> static inline void skel_call(void (*f)(P...), void **args) { skel_call(f, args, typename skel_upto<sizeof...(P)>::type()); }
template <class... P> static inline int skel_sizes(void (*)(P...), int *to) {
	const int sizes[] = {(int)sizeof(P)..., 0};
	for (int i = 0; i < (int)sizeof...(P); i++) to[i] = sizes[i];
	return sizeof...(P);
}
#define SKEL_ENTRY(name) \
	extern "C" const char *const skel_name = #name; \
	extern "C" void skel_enter(void **args) { skel_call(name, args); } \
	extern "C" int skel_parameters(int *to) { return skel_sizes(name, to); }
