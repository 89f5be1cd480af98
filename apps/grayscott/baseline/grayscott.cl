#define TILE 16

// A step of the Gray-Scott reaction; each work-item computes one cell. A
// work-group first copies its tile with a halo of one cell to local memory. The
// plate wraps around at its edges.
kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
react(global const float2 *plate, global float2 *next, int rows, int cols,
      float feed, float kill) {
  local float2 tile[TILE + 2][TILE + 2];
  int top = get_group_id(1) * TILE - 1, left = get_group_id(0) * TILE - 1;
  int c = get_local_id(0), r = get_local_id(1);
  for (int e = r * TILE + c; e < (TILE + 2) * (TILE + 2); e += TILE * TILE) {
    int i = (top + e / (TILE + 2) + rows) % rows;
    int j = (left + e % (TILE + 2) + cols) % cols;
    tile[e / (TILE + 2)][e % (TILE + 2)] = plate[(size_t)i * cols + j];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int row = get_global_id(1), col = get_global_id(0);
  if (row >= rows || col >= cols)
    return;
  float2 cell = tile[r + 1][c + 1];
  float2 flow = tile[r][c + 1] + tile[r + 2][c + 1] + tile[r + 1][c] +
                tile[r + 1][c + 2] - 4.0f * cell;
  float reaction = cell.x * cell.y * cell.y;
  next[(size_t)row * cols + col] =
      (float2)(cell.x + (0.16f * flow.x - reaction + feed * (1.0f - cell.x)),
               cell.y + (0.08f * flow.y + reaction - (feed + kill) * cell.y));
}
