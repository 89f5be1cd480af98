#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

// TILE points are assigned and summed while they are in the cache, 16 at a
// time. columns has stride floats per dimension, a multiple of TILE.
#define TILE 256

kernel void swap(global const float *points, global float *columns, int n,
                 int dim, int stride) {
  int i = get_global_id(0);
  for (int j = 0; j < dim; j++)
    columns[(size_t)j * stride + i] = i < n ? points[(size_t)i * dim + j] : 0;
}

// The nearest centres of points i to i + 15; of equally near ones, the first.
int16 nearest(global const float *columns, global const float *centres, int i,
              int k, int dim, int stride) {
  int16 best = 0;
  float16 least = FLT_MAX;
  for (int c = 0; c < k; c++) {
    float16 dist = 0;
    for (int j = 0; j < dim; j++) {
      float16 diff =
          vload16(0, columns + (size_t)j * stride + i) - centres[c * dim + j];
      dist += diff * diff;
    }
    int16 closer = dist < least;
    least = select(least, dist, closer);
    best = select(best, (int16)c, closer);
  }
  return best;
}

int sum_int(int16 v) {
  int8 a = v.lo + v.hi;
  int4 b = a.lo + a.hi;
  return b.x + b.y + b.z + b.w;
}

double sum_double(float16 v) {
  double8 a = convert_double8(v.lo) + convert_double8(v.hi);
  double4 b = a.lo + a.hi;
  return b.x + b.y + b.z + b.w;
}

// Every work-item assigns and sums every get_global_size-th tile. To its own
// row of partial it writes the sums of each cluster in each dimension and then
// the size of each cluster, and to its word of moved how many labels it
// changed.
kernel void assign(global const float *columns, global const float *centres,
                   global int *labels, global double *partial,
                   global int *moved, int n, int k, int dim, int stride) {
  const int16 lanes =
      (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  global double *sums = partial + get_global_id(0) * k * (dim + 1);
  global double *sizes = sums + k * dim;
  for (int v = 0; v < k * (dim + 1); v++)
    sums[v] = 0;
  int16 changed = 0;
  for (int tile = get_global_id(0) * TILE; tile < n;
       tile += get_global_size(0) * TILE) {
    int16 label[TILE / 16];
    for (int v = 0; v < TILE / 16; v++) {
      int i = tile + v * 16;
      int16 now = nearest(columns, centres, i, k, dim, stride);
      label[v] = select((int16)-1, now, i + lanes < n); // no padding in sums
      changed -= label[v] != vload16(0, labels + i);
      vstore16(label[v], 0, labels + i);
    }
    for (int c = 0; c < k; c++) {
      int16 size = 0;
      for (int v = 0; v < TILE / 16; v++)
        size -= label[v] == c;
      sizes[c] += sum_int(size);
      for (int j = 0; j < dim; j++) {
        global const float *column = columns + (size_t)j * stride + tile;
        float16 sum = 0;
        for (int v = 0; v < TILE / 16; v++)
          sum += select((float16)0, vload16(v, column), label[v] == c);
        sums[c * dim + j] += sum_double(sum);
      }
    }
  }
  moved[get_global_id(0)] = sum_int(changed);
}

// Computes the new centres of clusters that have points, and the number of
// labels that moved, from the rows of partial. Each work-item computes one
// coordinate.
kernel void update(global const double *partial, global const int *moved,
                   global float *centres, global int *total, int rows, int k,
                   int dim) {
  int v = get_global_id(0);
  double sum = 0, size = 0;
  for (int r = 0; r < rows; r++) {
    global const double *row = partial + r * k * (dim + 1);
    sum += row[v];
    size += row[k * dim + v / dim];
  }
  if (size > 0)
    centres[v] = sum / size;
  if (v == 0) {
    *total = 0;
    for (int r = 0; r < rows; r++)
      *total += moved[r];
  }
}
