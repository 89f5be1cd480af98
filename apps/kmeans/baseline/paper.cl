#pragma OPENCL FP_CONTRACT OFF

// Transposes the points, so that neighbouring work-items read neighbouring
// words. Each work-item copies one point.
kernel void swap(global const float *points, global float *columns, int n,
                 int dim) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  for (int j = 0; j < dim; j++)
    columns[(size_t)j * n + i] = points[(size_t)i * dim + j];
}

// Each work-item finds the centre nearest to one point; of equally near ones,
// the first.
kernel void assign(global const float *columns, global const float *centres,
                   global int *labels, int n, int k, int dim) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  int best = 0;
  float least = FLT_MAX;
  for (int c = 0; c < k; c++) {
    float dist = 0;
    for (int j = 0; j < dim; j++) {
      float diff = columns[(size_t)j * n + i] - centres[c * dim + j];
      dist += diff * diff;
    }
    if (dist < least) {
      least = dist;
      best = c;
    }
  }
  labels[i] = best;
}
