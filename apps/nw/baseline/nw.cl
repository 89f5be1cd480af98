// The matrix is computed in tiles of 16 x 16 elements, a diagonal of tiles in
// each launch. A work-group of 16 work-items computes a tile in local memory,
// first its growing diagonals, then its shrinking ones.
#define TILE 16

// Computes a diagonal of tiles in the upper left half of the matrix h. It
// starts in the first column of tiles.
kernel __attribute__((reqd_work_group_size(TILE, 1, 1))) void
upper(global int *h, global const uchar *a, global const uchar *b,
      constant const int *scores, int letters, int gap, int tiles) {
  local int tile[TILE + 1][TILE + 1], face[TILE][TILE];
  int x = get_local_id(0);
  size_t cols = (size_t)tiles * TILE + 1;
  size_t i = (get_num_groups(0) - 1 - get_group_id(0)) * TILE;
  size_t j = get_group_id(0) * TILE;
  for (int y = 0; y < TILE; y++)
    face[y][x] = scores[a[i + y] * letters + b[j + x]];
  h += i * cols + j;
  if (x == 0)
    tile[0][0] = h[0];
  tile[0][x + 1] = h[x + 1];
  tile[x + 1][0] = h[(x + 1) * cols];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 0; d < TILE; d++) {
    if (x <= d) {
      int y = d - x;
      tile[y + 1][x + 1] = max(tile[y][x] + face[y][x],
                               max(tile[y][x + 1], tile[y + 1][x]) - gap);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int d = TILE; d < 2 * TILE - 1; d++) {
    if (x > d - TILE) {
      int y = d - x;
      tile[y + 1][x + 1] = max(tile[y][x] + face[y][x],
                               max(tile[y][x + 1], tile[y + 1][x]) - gap);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int y = 0; y < TILE; y++)
    h[(y + 1) * cols + x + 1] = tile[y + 1][x + 1];
}

// Computes a diagonal of tiles in the lower right half. It starts in the last
// row of tiles.
kernel __attribute__((reqd_work_group_size(TILE, 1, 1))) void
lower(global int *h, global const uchar *a, global const uchar *b,
      constant const int *scores, int letters, int gap, int tiles) {
  local int tile[TILE + 1][TILE + 1], face[TILE][TILE];
  int x = get_local_id(0);
  size_t cols = (size_t)tiles * TILE + 1;
  size_t i = (tiles - 1 - get_group_id(0)) * TILE;
  size_t j = (tiles - get_num_groups(0) + get_group_id(0)) * TILE;
  for (int y = 0; y < TILE; y++)
    face[y][x] = scores[a[i + y] * letters + b[j + x]];
  h += i * cols + j;
  if (x == 0)
    tile[0][0] = h[0];
  tile[0][x + 1] = h[x + 1];
  tile[x + 1][0] = h[(x + 1) * cols];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 0; d < TILE; d++) {
    if (x <= d) {
      int y = d - x;
      tile[y + 1][x + 1] = max(tile[y][x] + face[y][x],
                               max(tile[y][x + 1], tile[y + 1][x]) - gap);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int d = TILE; d < 2 * TILE - 1; d++) {
    if (x > d - TILE) {
      int y = d - x;
      tile[y + 1][x + 1] = max(tile[y][x] + face[y][x],
                               max(tile[y][x + 1], tile[y + 1][x]) - gap);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int y = 0; y < TILE; y++)
    h[(y + 1) * cols + x + 1] = tile[y + 1][x + 1];
}
