// runtime.cpp runs the lanes of a launch, each on a stack of its own, in one
// thread of the processor. Which lane runs next, and when one that waits for
// nothing has to let others run, is taken from a row of random numbers, the
// same for every launch: so lanes come in many orders, and a failure comes
// again.
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

struct dim3 { unsigned x, y, z; };

extern "C" {
dim3 threadIdx, blockIdx, blockDim, gridDim;
void skel_enter(void **args); // calls the kernel
int skel_parameters(int *sizes);
extern __attribute__((weak)) int skel_bound; // only in programs with KERNEL_OF
extern const char *const skel_name;
extern char __start_skel_shared[] __attribute__((weak, visibility("hidden")));
extern char __stop_skel_shared[] __attribute__((weak, visibility("hidden")));
void skel_switch(void **from, void *to); // saves the stack in *from and goes on with to
void skel_begin();
}

#if defined(__x86_64__)
__asm__(R"(
	.hidden skel_switch
	.globl skel_switch
	.type skel_switch, @function
skel_switch:
	pushq %rbp
	pushq %rbx
	pushq %r12
	pushq %r13
	pushq %r14
	pushq %r15
	movq %rsp, (%rdi)
	movq %rsi, %rsp
	popq %r15
	popq %r14
	popq %r13
	popq %r12
	popq %rbx
	popq %rbp
	retq
	.hidden skel_begin
	.globl skel_begin
	.type skel_begin, @function
skel_begin:
	callq skel_lane
	ud2
)");
enum { kFrame = 7 * 8, kReturn = 6 };
#elif defined(__aarch64__)
__asm__(R"(
	.hidden skel_switch
	.globl skel_switch
	.type skel_switch, %function
skel_switch:
	sub sp, sp, #160
	stp x19, x20, [sp]
	stp x21, x22, [sp, #16]
	stp x23, x24, [sp, #32]
	stp x25, x26, [sp, #48]
	stp x27, x28, [sp, #64]
	stp x29, x30, [sp, #80]
	stp d8, d9, [sp, #96]
	stp d10, d11, [sp, #112]
	stp d12, d13, [sp, #128]
	stp d14, d15, [sp, #144]
	mov x9, sp
	str x9, [x0]
	mov sp, x1
	ldp x19, x20, [sp]
	ldp x21, x22, [sp, #16]
	ldp x23, x24, [sp, #32]
	ldp x25, x26, [sp, #48]
	ldp x27, x28, [sp, #64]
	ldp x29, x30, [sp, #80]
	ldp d8, d9, [sp, #96]
	ldp d10, d11, [sp, #112]
	ldp d12, d13, [sp, #128]
	ldp d14, d15, [sp, #144]
	add sp, sp, #160
	ret
	.hidden skel_begin
	.globl skel_begin
	.type skel_begin, %function
skel_begin:
	bl skel_lane
	brk #1
)");
enum { kFrame = 160, kReturn = 11 };
#else
#error "no switch of stacks for this processor"
#endif

// What a launch is told; package emulator has the same struct.
struct launch {
	int64_t groups, lanes, dynamic, resident, seconds;
	uint64_t seed;
	void **args;
	char *arena; // resident * room bytes
	int64_t room, stack;
	char *message;
	int64_t message_size;
	int64_t switches; // how often lanes were switched
};

namespace {

enum { kWarp = 32, kMostWarps = 32, kCopies = 64 };

// What a lane waits for.
enum wait : uint8_t { kNothing, kBarrier, kSyncWarp, kShuffle, kBallot, kMatch, kProduct, kOver };
const char *const kNames[] = {"run", "wait at __syncthreads", "wait at __syncwarp", "wait at __shfl_sync", "wait at __ballot_sync", "wait at __match_any_sync", "wait at skel_product", "are done"};

// A copy that goes on by itself.
struct copy {
	void *to;
	const void *from;
	int commit; // the number of its group, from 1 on
};

struct lane {
	void *stack;
	char *bottom; // of its stack
	copy *pending; // kCopies of them
	unsigned word, result, mask;
	int from, index;
	wait waits;
	bool begun, polls; // polls: it was stopped the last time, in a loop perhaps
	int commits, copies;
	double *upper, *lower; // of a product
	const double *a, *b;
};

struct warp {
	int live, running, here; // lanes that are not done, wait for nothing, wait for the others of the warp
};

struct group {
	int64_t id;
	int live, running, barrier; // lanes that are not done, wait for nothing, are at the barrier
	char *room, *saved, *dynamic;
	lane *lanes;
	warp warps[kMostWarps];
};

launch *now;
group *here;
lane *self;
void *scheduler;
uint64_t dice;
int fuel;
bool failed;
const unsigned kPoison = 0xdeadbeefu;
const uint64_t kCanary = 0x5ca1ab1e0ddba11ull;

uint32_t roll() {
	dice ^= dice << 13;
	dice ^= dice >> 7;
	dice ^= dice << 17;
	return (uint32_t)(dice >> 32);
}

template <class... A> void fail(const char *format, A... a) {
	if (failed) return;
	failed = true;
	int n = snprintf(now->message, now->message_size, "kernel %s: ", skel_name);
	snprintf(now->message + n, now->message_size - n, format, a...);
}

void leave() { // to the scheduler
	skel_switch(&self->stack, scheduler);
}

void perform(lane *l, int commit) { // the copies up to a group of copies
	int kept = 0;
	for (int k = 0; k < l->copies; k++) {
		copy *c = &l->pending[k];
		if (c->commit <= commit) memcpy(c->to, c->from, 16);
		else l->pending[kept++] = *c;
	}
	l->copies = kept;
}

// Multiplies the matrices whose elements the lanes of a warp have; prelude.cu says where.
void multiply(lane *w) {
	double a[16][16], b[16][8];
	for (int l = 0; l < kWarp; l++) {
		int r = l / 4, q = l % 4;
		for (int i = 0; i < 8; i++) a[r + 8 * (i % 2)][q + 4 * (i / 2)] = w[l].a[i];
		for (int i = 0; i < 4; i++) b[q + 4 * i][r] = w[l].b[i];
	}
	for (int l = 0; l < kWarp; l++)
		for (int i = 0; i < 4; i++) {
			int r = l / 4 + 8 * (i / 2), c = l % 4 * 2 + i % 2;
			double *d = (i < 2 ? w[l].upper : w[l].lower) + i % 2;
			for (int k = 0; k < 16; k++) *d = fma(a[r][k], b[k][c], *d);
		}
}

// Lets a warp go on when all of its lanes have come to the same place.
void meet(group *g, int number) {
	if (g->warps[number].here == 0 || g->warps[number].here < g->warps[number].live) return;
	g->warps[number].here = 0;
	lane *w = g->lanes + number * kWarp;
	int n = (int)now->lanes - number * kWarp;
	if (n > kWarp) n = kWarp;
	lane *first = 0;
	for (int k = 0; k < n; k++) {
		if (w[k].waits == kOver) continue;
		if (!first) first = &w[k];
		if (w[k].waits != first->waits)
			return fail("group %lld: lanes %d and %d of one warp %s and %s", (long long)g->id, first->index, w[k].index, kNames[first->waits], kNames[w[k].waits]);
	}
	unsigned ballot = 0;
	for (int k = 0; k < n; k++)
		if (w[k].waits != kOver && w[k].word) ballot |= 1u << k;
	for (int k = 0; k < n; k++) {
		lane *l = &w[k];
		if (l->waits == kOver) continue;
		if (l->mask != 0xffffffffu)
			return fail("group %lld: lane %d of a warp names the lanes %#x, and only all are emulated", (long long)g->id, l->index, l->mask);
		if (l->waits == kShuffle) {
			int from = l->from & (kWarp - 1);
			l->result = from < n && w[from].waits != kOver ? w[from].word : kPoison;
		} else if (l->waits == kBallot) {
			l->result = ballot;
		} else if (l->waits == kProduct) {
			if (n < kWarp || g->warps[number].live < kWarp)
				return fail("group %lld: fewer than %d lanes of a warp multiply matrices", (long long)g->id, kWarp);
			if (k == 0) multiply(w);
		} else if (l->waits == kMatch) {
			l->result = 0;
			for (int j = 0; j < n; j++)
				if (w[j].waits != kOver && w[j].word == l->word) l->result |= 1u << j;
		}
	}
	for (int k = 0; k < n; k++)
		if (w[k].waits != kOver) {
			w[k].waits = kNothing;
			g->running++;
			g->warps[number].running++;
		}
}

void release(group *g) { // the barrier, when all are there
	if (g->barrier == 0 || g->barrier < g->live) return;
	for (int k = 0; k < (int)now->lanes; k++)
		if (g->lanes[k].waits == kBarrier) g->lanes[k].waits = kNothing;
	for (int k = 0; k < kMostWarps; k++) g->warps[k].running = g->warps[k].live;
	g->running = g->live;
	g->barrier = 0;
}

warp *stop(lane *l, wait what) { // the lane, which runs
	warp *w = &here->warps[l->index / kWarp];
	l->waits = what;
	here->running--;
	w->running--;
	return w;
}

unsigned collective(wait what, unsigned mask, unsigned word, int from) {
	lane *l = self;
	l->mask = mask, l->word = word, l->from = from;
	stop(l, what)->here++;
	meet(here, l->index / kWarp);
	if (l->waits != kNothing || failed) leave();
	return l->result;
}

void explain(group *g) { // why nothing goes on
	int count[kOver + 1] = {};
	for (int k = 0; k < (int)now->lanes; k++) count[g->lanes[k].waits]++;
	char text[300];
	int n = 0;
	for (int k = 0; k <= kOver; k++)
		if (count[k]) n += snprintf(text + n, sizeof text - n, "%s%d %s", n ? ", " : "", count[k], kNames[k]);
	fail("group %lld of %lld does not go on: of its lanes %s", (long long)g->id, (long long)now->groups, text);
}

char *align(char *p, size_t to) { return (char *)(((uintptr_t)p + to - 1) & ~(to - 1)); }

size_t shared() { return (size_t)(__stop_skel_shared - __start_skel_shared); }

void start(group *g, char *room, int64_t id) { // a group, in its part of the arena
	g->id = id;
	g->room = room;
	g->live = g->running = (int)now->lanes;
	g->barrier = 0;
	char *p = align(room, 64);
	g->lanes = (lane *)p;
	p = align(p + now->lanes * sizeof(lane), 64);
	g->saved = p;
	p = align(p + shared(), 1024);
	g->dynamic = p;
	p = align(p + now->dynamic, 64);
	copy *pending = (copy *)p;
	p = align(p + now->lanes * kCopies * sizeof(copy), 64);
	memset(g->warps, 0, sizeof g->warps);
	memset(g->saved, 0xa5, shared()); // nobody may rely on zeros
	memset(g->dynamic, 0x5a, now->dynamic);
	for (int k = 0; k < (int)now->lanes; k++) {
		lane *l = &g->lanes[k];
		l->index = k;
		l->waits = kNothing;
		l->begun = l->polls = false;
		l->commits = l->copies = 0;
		l->pending = pending + k * kCopies;
		g->warps[k / kWarp].live++;
		g->warps[k / kWarp].running++;
		// Stacks are apart by an odd number of cache lines.
		l->bottom = p + k * (now->stack + 64 * 13);
	}
}

void begin(lane *l) {
	l->begun = true;
	*(uint64_t *)l->bottom = kCanary;
	void **top = (void **)(l->bottom + now->stack - 64);
	top = (void **)((char *)top - kFrame);
	memset(top, 0, kFrame);
	top[kReturn] = (void *)skel_begin;
	l->stack = top;
}

// Runs a lane until it waits, or for a while: whether it waits.
bool run(lane *l) {
	if (!l->begun) begin(l);
	self = l;
	threadIdx.x = l->index;
	fuel = 1 + (int)(roll() & (!l->polls && roll() & 7 ? 4095 : 31));
	now->switches++;
	skel_switch(&scheduler, l->stack);
	if (*(uint64_t *)l->bottom != kCanary)
		fail("a lane needs more than the %lld bytes of stack that the emulator gives", (long long)now->stack);
	l->polls = l->waits == kNothing;
	return !l->polls;
}

// Places 0 to n-1 in an order, from any on and in one direction or the other.
struct order {
	int n, at, step;
	explicit order(int count) : n(count), at((int)(roll() % count)), step(roll() & 1 ? 1 : -1) {}
	int next() {
		int now = at;
		at += step;
		if (at == n) at = 0;
		if (at < 0) at = n - 1;
		return now;
	}
};

// Runs all lanes of a group that can, those of a warp some times in a row:
// whether any got anywhere.
bool pass(group *g) {
	bool any = false;
	order warps(((int)now->lanes + kWarp - 1) / kWarp);
	for (int i = 0; i < warps.n && !failed; i++) {
		int number = warps.next(), first = number * kWarp, left = (int)now->lanes - first;
		warp *w = &g->warps[number];
		bool on = true;
		for (int times = 1 + (int)(roll() % 16); on && times > 0 && w->running > 0 && !failed; times--) {
			on = false;
			order lanes(left < kWarp ? left : kWarp);
			for (int k = 0; k < lanes.n && !failed; k++) {
				lane *l = &g->lanes[first + lanes.next()];
				if (l->waits == kNothing && run(l)) on = any = true;
			}
		}
	}
	return any;
}

double seconds() {
	timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

}

extern "C" {

__attribute__((visibility("hidden"))) void skel_lane() {
	skel_enter(now->args);
	perform(self, self->commits + 1);
	stop(self, kOver)->live--;
	here->live--;
	meet(here, self->index / kWarp);
	release(here);
	leave();
}

// Called at every branch of a kernel: a lane that waits in a loop lets others
// run in the end.
void __sanitizer_cov_trace_pc() {
	if (--fuel <= 0) leave();
}

void __syncthreads() {
	stop(self, kBarrier);
	here->barrier++;
	release(here);
	leave();
}

void skel_syncwarp(unsigned mask) { collective(kSyncWarp, mask, 0, 0); }
unsigned skel_shfl(unsigned mask, unsigned x, int from) { return collective(kShuffle, mask, x, from); }
unsigned __ballot_sync(unsigned mask, int x) { return collective(kBallot, mask, x != 0, 0); }
unsigned __match_any_sync(unsigned mask, unsigned x) { return collective(kMatch, mask, x, 0); }

void skel_product(double *upper, double *lower, const double *a, const double *b) {
	self->upper = upper, self->lower = lower, self->a = a, self->b = b;
	collective(kProduct, 0xffffffffu, 0, 0);
}

void *skel_dynamic() { return here->dynamic; }

// A copy is done at once, or as late as it may be.
void skel_copy(void *to, const void *from) {
	if (((uintptr_t)to | (uintptr_t)from) & 15) {
		fail("group %lld, lane %d: a copy of 16 bytes from %p to %p, which is not aligned", (long long)here->id, self->index, from, to);
		return leave();
	}
	if (self->copies == kCopies || roll() % 4 == 0) {
		memcpy(to, from, 16);
		return;
	}
	self->pending[self->copies++] = copy{to, from, self->commits + 1};
}
void skel_copy_commit() { self->commits++; }
void skel_copy_wait(int n) { perform(self, self->commits - n); }

// Returns the number of parameters, and stores their sizes, the bytes of static local memory and
// the lanes that the kernel is compiled for, or 0 if it does not say.
__attribute__((visibility("default"))) int skel_info(int *sizes, int *local, int *bound) {
	*local = (int)shared();
	*bound = &skel_bound ? skel_bound : 0;
	fuel = 1 << 30;
	return skel_parameters(sizes);
}

// Runs a launch: 0 when it went well.
__attribute__((visibility("default"))) int skel_launch(launch *l) {
	now = l;
	failed = false;
	dice = l->seed * 0x9e3779b97f4a7c15ull | 1;
	blockDim = dim3{(unsigned)l->lanes, 1, 1};
	gridDim = dim3{(unsigned)l->groups, 1, 1};
	group groups[l->resident];
	int n = 0, turn = 0;
	int64_t next = 0;
	double until = seconds() + l->seconds;
	for (; n < l->resident && next < l->groups; n++)
		start(&groups[n], l->arena + n * l->room, next++);
	for (uint64_t rounds = 0; n > 0 && !failed; rounds++) {
		// Groups take turns, some longer ones.
		turn = roll() % 16 ? (turn + 1) % n : (int)(roll() % n);
		group *g = here = &groups[turn];
		blockIdx.x = (unsigned)g->id;
		memcpy(__start_skel_shared, g->saved, shared());
		for (int passes = 1 + (int)(roll() % (roll() & 3 ? 64 : 4)); passes > 0 && !failed; passes--) {
			if (!pass(g) || g->running == 0) break;
		}
		if (g->live == 0) {
			if (next < l->groups) start(g, g->room, next++);
			else *g = groups[--n], turn = 0;
			continue;
		}
		if (g->running == 0 && !failed) explain(g);
		memcpy(g->saved, __start_skel_shared, shared());
		if (rounds % 256 == 0 && seconds() > until) {
			explain(g);
			int used = (int)strlen(l->message);
			snprintf(l->message + used, l->message_size - used, "; it has not ended after %lld s, with %lld of %lld groups begun", (long long)l->seconds, (long long)next, (long long)l->groups);
		}
	}
	return failed;
}

}
