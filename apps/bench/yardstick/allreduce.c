// Times MPI_Allreduce of 256 float32, after a barrier, for docs/performance.md (Ranks):
//
//	mpicc -O2 -o allreduce allreduce.c && mpirun -n 4 ./allreduce
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
	enum { N = 256, CALLS = 20000 };
	float x[N], sum[N];
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < N; i++)
		x[i] = rank + i;
	for (int i = 0; i < 100; i++)
		MPI_Allreduce(x, sum, N, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Barrier(MPI_COMM_WORLD);
	double begin = MPI_Wtime();
	for (int i = 0; i < CALLS; i++)
		MPI_Allreduce(x, sum, N, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
	double took = MPI_Wtime() - begin;
	if (rank == 0)
		printf("%.2f us\n", took / CALLS * 1e6);
	return MPI_Finalize();
}
