// A library with the interface of MPI 5 (-DKIND=5), Open MPI (-DKIND=4) or MPICH (-DKIND=3) for
// one rank, which sends messages to itself. It fails if a handle is not what the interface says.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifndef VERSION
#define VERSION "Open MPI v6.0.0, package: fake"
#endif

#if KIND == 5
typedef intptr_t handle;
#define WORLD 0x101
#define BYTES 0x247
#define RETURN 0x142
#define NO_INFO 0x130
#define SHARED 221
#define MULTIPLE 4096
#elif KIND == 4
typedef intptr_t handle;
int64_t ompi_mpi_comm_world[16], ompi_mpi_byte[16], ompi_mpi_errors_return[16], ompi_mpi_info_null[16];
#define WORLD ((intptr_t)ompi_mpi_comm_world)
#define BYTES ((intptr_t)ompi_mpi_byte)
#define RETURN ((intptr_t)ompi_mpi_errors_return)
#define NO_INFO ((intptr_t)ompi_mpi_info_null)
#define SHARED 0
#define MULTIPLE 3
#else
typedef int handle;
#define WORLD 0x44000000
#define BYTES 0x4c00010d
#define RETURN 0x54000001
#define NO_INFO 0x1c000000
#define SHARED 1
#define MULTIPLE 3
#endif

#define COPY (WORLD + 0x1000)
#define OF_US(c) ((c) == WORLD || (c) == COPY)
#define NEED(x)       \
	if (!(x))         \
	return 13

static int initialized, finalized;
static char *queue[64];
static int lengths[64], head, tail;

static int number(const char *name, int otherwise) {
	const char *s = getenv(name);
	return s ? atoi(s) : otherwise;
}

int MPI_Get_library_version(char *text, int *n) {
	strcpy(text, VERSION);
	*n = strlen(text);
	return 0;
}
#if KIND == 5 && !defined(OLD)
int MPI_Abi_get_version(int *major, int *minor) {
	*major = number("FAKE_ABI", 1);
	*minor = 0;
	return 0;
}
#endif
int MPI_Initialized(int *flag) { return *flag = initialized, 0; }
int MPI_Finalized(int *flag) { return *flag = finalized, 0; }
int MPI_Init_thread(int *argc, char ***argv, int want, int *got) {
	NEED(!argc && !argv && want == MULTIPLE && !initialized);
	initialized = 1;
	*got = want;
	return 0;
}
int MPI_Query_thread(int *got) { return *got = 0, 0; }
int MPI_Finalize(void) {
	NEED(initialized && !finalized);
	finalized = 1;
	return 0;
}
int MPI_Abort(handle c, int code) {
	NEED(c == WORLD);
	exit(code);
}
int MPI_Error_string(int code, char *text, int *n) {
	strcpy(text, code == 15 ? "message truncated" : "wrong argument");
	*n = strlen(text);
	return 0;
}
int MPI_Comm_set_errhandler(handle c, handle h) {
	NEED(OF_US(c) && h == RETURN);
	return 0;
}
int MPI_Comm_rank(handle c, int *rank) {
	NEED(OF_US(c));
	return *rank = number("FAKE_RANK", 0), 0;
}
int MPI_Comm_size(handle c, int *size) {
	NEED(OF_US(c));
	return *size = number("FAKE_SIZE", 1), 0;
}
int MPI_Comm_dup(handle c, handle *out) {
	NEED(OF_US(c));
	return *out = COPY, 0;
}
int MPI_Comm_split_type(handle c, int type, int key, handle info, handle *out) {
	NEED(OF_US(c) && type == SHARED && info == NO_INFO);
	return *out = COPY, 0;
}
int MPI_Comm_free(handle *c) {
	NEED(*c == COPY);
	return *c = 0, 0;
}
int MPI_Send(const void *p, int n, handle type, int to, int tag, handle c) {
	NEED(type == BYTES && OF_US(c) && to == 0 && tail - head < 64);
	queue[tail % 64] = malloc(n + 1);
	memcpy(queue[tail % 64], p, n);
	lengths[tail++ % 64] = n;
	return 0;
}
int MPI_Recv(void *p, int n, handle type, int from, int tag, handle c, int *status) {
	NEED(type == BYTES && OF_US(c) && from == 0 && head < tail);
	int have = lengths[head % 64];
	memcpy(p, queue[head % 64], have < n ? have : n);
	free(queue[head++ % 64]);
	status[KIND == 3 ? 0 : KIND == 4 ? 4 : 3] = have;
	return have > n ? 15 : 0;
}
int MPI_Get_count(const int *status, handle type, int *n) {
	NEED(type == BYTES);
	return *n = status[KIND == 3 ? 0 : KIND == 4 ? 4 : 3], 0;
}
int MPI_Isend(const void *p, int n, handle type, int to, int tag, handle c, handle *r) {
	*r = 0x2c000001;
	return MPI_Send(p, n, type, to, tag, c);
}
int MPI_Irecv(void *p, int n, handle type, int from, int tag, handle c, handle *r) {
	int status[8];
	*r = 0x2c000002;
	return MPI_Recv(p, n, type, from, tag, c, status);
}
int MPI_Wait(handle *r, int *status) {
	NEED(*r == 0x2c000001);
	return *r = 0, 0;
}
int MPI_Test(handle *r, int *flag, int *status) {
	NEED(*r == 0x2c000001);
	return *flag = 1, *r = 0, 0;
}
int MPI_Bcast(void *p, int n, handle type, int root, handle c) {
	NEED(type == BYTES && OF_US(c) && root == 0);
	return 0;
}
int MPI_Allgather(const void *p, int n, handle type, void *all, int m, handle type2, handle c) {
	NEED(type == BYTES && type2 == BYTES && OF_US(c) && n == m);
	memcpy(all, p, n);
	return 0;
}
int MPI_Barrier(handle c) {
	NEED(OF_US(c));
	return 0;
}
int MPI_Ibcast(void *p, int n, handle type, int root, handle c, handle *r) {
	*r = 0x2c000001;
	return MPI_Bcast(p, n, type, root, c);
}
int MPI_Ibarrier(handle c, handle *r) {
	*r = 0x2c000001;
	return MPI_Barrier(c);
}
int MPI_Cancel(handle *r) {
	NEED(*r == 0x2c000001);
	return 0;
}
