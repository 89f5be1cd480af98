// c = a * b, where a is n x d and b is d x m. A work-group of 16 x 16 computes
// a tile of 64 x 64 elements, 4 x 4 per work-item. It copies the parts of a and
// b that it needs to local memory, 16 columns of a and rows of b at a time.
#define TILE 64
#define DEEP 16
#define WIDE 16
#define EACH 4

kernel __attribute__((reqd_work_group_size(WIDE, WIDE, 1))) void
product(global const float *a, global const float *b, global float *c, int n,
        int m, int d) {
  local float as[DEEP][TILE + 1], bs[DEEP][TILE];
  int x = get_local_id(0), y = get_local_id(1), lane = y * WIDE + x;
  int row = get_group_id(1) * TILE, col = get_group_id(0) * TILE;
  float sum[EACH][EACH] = {{0}};
  for (int k0 = 0; k0 < d; k0 += DEEP) {
    for (int t = lane; t < TILE * DEEP; t += WIDE * WIDE) {
      int i = row + t / DEEP, k = k0 + t % DEEP;
      as[t % DEEP][t / DEEP] = i < n && k < d ? a[(size_t)i * d + k] : 0;
    }
    for (int t = lane; t < TILE * DEEP; t += WIDE * WIDE) {
      int k = k0 + t / TILE, j = col + t % TILE;
      bs[t / TILE][t % TILE] = k < d && j < m ? b[(size_t)k * m + j] : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < DEEP; k++)
      for (int i = 0; i < EACH; i++)
        for (int j = 0; j < EACH; j++)
          sum[i][j] = fma(as[k][y + i * WIDE], bs[k][x + j * WIDE], sum[i][j]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int i = 0; i < EACH; i++)
    for (int j = 0; j < EACH; j++)
      if (row + y + i * WIDE < n && col + x + j * WIDE < m)
        c[(size_t)(row + y + i * WIDE) * m + col + x + j * WIDE] = sum[i][j];
}
