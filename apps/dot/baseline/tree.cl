// Each work-group computes a partial sum: its work-items stride over the
// vectors and then combine their sums by a tree in local memory, as in GPU
// textbooks.
kernel void product(global const float *x, global const float *y,
                    global float *partial, ulong n, local float *scratch) {
  size_t lane = get_local_id(0);
  float sum = 0;
  for (size_t i = get_global_id(0); i < n; i += get_global_size(0))
    sum += x[i] * y[i];
  scratch[lane] = sum;
  for (size_t width = get_local_size(0) / 2; width > 0; width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < width)
      scratch[lane] += scratch[lane + width];
  }
  if (lane == 0)
    partial[get_group_id(0)] = scratch[0];
}
