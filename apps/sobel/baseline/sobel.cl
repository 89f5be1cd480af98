#define TILE 16

// Each work-item computes one pixel of the edges in an image, by the operator
// of Sobel and Feldman. A work-group first copies its tile with a halo of one
// pixel to local memory. Pixels beyond the border equal the nearest pixel.
kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
sobel(global const uchar *image, global uchar *edges, int rows, int cols) {
  local uchar tile[TILE + 2][TILE + 2];
  int top = get_group_id(1) * TILE - 1, left = get_group_id(0) * TILE - 1;
  int c = get_local_id(0), r = get_local_id(1);
  for (int e = r * TILE + c; e < (TILE + 2) * (TILE + 2); e += TILE * TILE) {
    int i = clamp(top + e / (TILE + 2), 0, rows - 1);
    int j = clamp(left + e % (TILE + 2), 0, cols - 1);
    tile[e / (TILE + 2)][e % (TILE + 2)] = image[(size_t)i * cols + j];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int row = get_global_id(1), col = get_global_id(0);
  if (row >= rows || col >= cols)
    return;
  int x = tile[r][c + 2] + 2 * tile[r + 1][c + 2] + tile[r + 2][c + 2] -
          tile[r][c] - 2 * tile[r + 1][c] - tile[r + 2][c];
  int y = tile[r + 2][c] + 2 * tile[r + 2][c + 1] + tile[r + 2][c + 2] -
          tile[r][c] - 2 * tile[r][c + 1] - tile[r][c + 2];
  float g = sqrt((float)(x * x + y * y)) + 0.5f;
  edges[(size_t)row * cols + col] = (uchar)min(g, 255.0f);
}
