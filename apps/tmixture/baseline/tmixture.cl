#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// Matrices of n rows are stored column by column, so that neighbouring
// work-items read neighbouring words.

#define GROUP 256 // work-items that add numbers in local memory

// A work-group of 16 x 16 computes a tile of 64 x 64 elements of a product,
// 4 x 4 per work-item, from 16 columns and rows at a time.
#define TILE 64
#define DEEP 16
#define WIDE 16
#define EACH 4

// Transposes the points and subtracts the means of the columns.
kernel void swap(global const double *points, global const double *means,
                 global double *x, int n, int p) {
  int i = get_global_id(0), c = get_global_id(1);
  if (i < n)
    x[(size_t)c * n + i] = points[(size_t)i * p + c] - means[c];
}

// m = x - mu_j, row by row.
kernel void subtract(global const double *x, global const double *mu,
                     global double *m, int n, int p, int j) {
  int i = get_global_id(0), c = get_global_id(1);
  if (i < n)
    m[(size_t)c * n + i] = x[(size_t)c * n + i] - mu[j * p + c];
}

// e = m * s_j, where m is n x p and s_j is matrix j of p x p.
kernel __attribute__((reqd_work_group_size(WIDE, WIDE, 1))) void
product(global const double *m, global const double *s, global double *e, int n,
        int p, int j) {
  local double ms[DEEP][TILE], ss[DEEP][TILE];
  int x = get_local_id(0), y = get_local_id(1), lane = y * WIDE + x;
  int row = get_group_id(0) * TILE, col = get_group_id(1) * TILE;
  double sum[EACH][EACH] = {{0}};
  for (int k0 = 0; k0 < p; k0 += DEEP) {
    for (int t = lane; t < TILE * DEEP; t += WIDE * WIDE) {
      int k = k0 + t / TILE, i = row + t % TILE, c = col + t % TILE;
      ms[t / TILE][t % TILE] = k < p && i < n ? m[(size_t)k * n + i] : 0;
      ss[t / TILE][t % TILE] = k < p && c < p ? s[(j * p + k) * p + c] : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < DEEP; k++)
      for (int a = 0; a < EACH; a++)
        for (int b = 0; b < EACH; b++)
          sum[a][b] = fma(ms[k][x + a * WIDE], ss[k][y + b * WIDE], sum[a][b]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int a = 0; a < EACH; a++)
    for (int b = 0; b < EACH; b++)
      if (row + x + a * WIDE < n && col + y + b * WIDE < p)
        e[(size_t)(col + y + b * WIDE) * n + row + x + a * WIDE] = sum[a][b];
}

// Column j of delta has the scalar products of the rows of m and e.
kernel void row_products(global const double *m, global const double *e,
                         global double *delta, int n, int p, int j) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  double sum = 0;
  for (int c = 0; c < p; c++)
    sum = fma(m[(size_t)c * n + i], e[(size_t)c * n + i], sum);
  delta[(size_t)j * n + i] = sum;
}

// logs = log(pi_j P_ij). logs_0 has what does not depend on the row. In 64
// columns P_ij itself underflows.
kernel void densities(global const double *delta, global const double *logs_0,
                      global double *logs, int n, int p, double nu) {
  int i = get_global_id(0), j = get_global_id(1);
  if (i < n)
    logs[(size_t)j * n + i] =
        logs_0[j] - (nu + p) / 2 * log1p(delta[(size_t)j * n + i] / nu);
}

// c = log of the sum of pi_j P_ij over j.
kernel void row_sums(global const double *logs, global double *c, int n,
                     int g) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  double most = logs[i], sum = 0;
  for (int j = 1; j < g; j++)
    most = fmax(most, logs[(size_t)j * n + i]);
  for (int j = 0; j < g; j++)
    sum += exp(logs[(size_t)j * n + i] - most);
  c[i] = most + log(sum);
}

kernel void posteriors(global const double *logs, global const double *c,
                       global double *z, int n) {
  int i = get_global_id(0), j = get_global_id(1);
  if (i < n)
    z[(size_t)j * n + i] = exp(logs[(size_t)j * n + i] - c[i]);
}

kernel void weights(global const double *delta, global double *u, int n, int p,
                    double nu) {
  int i = get_global_id(0), j = get_global_id(1);
  if (i < n)
    u[(size_t)j * n + i] = (p + nu) / (delta[(size_t)j * n + i] + nu);
}

kernel void multiply(global const double *z, global const double *u,
                     global double *q, int n) {
  int i = get_global_id(0), j = get_global_id(1);
  if (i < n)
    q[(size_t)j * n + i] = z[(size_t)j * n + i] * u[(size_t)j * n + i];
}

// Writes the sum of v over the work-group to its word of partial. All
// work-items take part, also those beyond the rows.
void group_sum(double v, local double *sum, global double *partial) {
  int t = get_local_id(0);
  sum[t] = v;
  for (int k = GROUP / 2; k > 0; k /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < k)
      sum[t] += sum[t + k];
  }
  if (t == 0)
    partial[get_group_id(1) * get_num_groups(0) + get_group_id(0)] = sum[0];
}

// The sums of the columns of z.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
sum_columns(global const double *z, global double *partial, int n) {
  local double sum[GROUP];
  global const double *column = z + (size_t)get_group_id(1) * n;
  double v = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    v += column[i];
  group_sum(v, sum, partial);
}

// The sums of the columns of z times u, element by element.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
sum_products(global const double *z, global const double *u,
             global double *partial, int n) {
  local double sum[GROUP];
  size_t column = (size_t)get_group_id(1) * n;
  double v = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    v = fma(z[column + i], u[column + i], v);
  group_sum(v, sum, partial);
}

// The sum of -z (psi + log(2 / (delta + nu)) - u).
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
statistic(global const double *z, global const double *delta,
          global const double *u, global double *partial, int n, int g,
          double nu, double psi) {
  local double sum[GROUP];
  double v = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    for (int j = 0; j < g; j++) {
      size_t at = (size_t)j * n + i;
      v -= z[at] * (psi + log(2 / (delta[at] + nu)) - u[at]);
    }
  group_sum(v, sum, partial);
}

// m = sqrt(q_j / f_j) (x - mu_j), row by row.
kernel void smx(global const double *x, global const double *q,
                global const double *f, global const double *mu,
                global double *m, int n, int p, int j) {
  int i = get_global_id(0), c = get_global_id(1);
  if (i < n)
    m[(size_t)c * n + i] = sqrt(q[(size_t)j * n + i] / f[j]) *
                           (x[(size_t)c * n + i] - mu[j * p + c]);
}

// The sums over the group's part of the rows of the products of columns of a
// and b.
kernel __attribute__((reqd_work_group_size(WIDE, WIDE, 1))) void
column_products(global const double *a, global const double *b,
                global double *partial, int n, int cols_a, int cols_b,
                int rows) {
  local double as[DEEP][TILE + 1], bs[DEEP][TILE + 1];
  int x = get_local_id(0), y = get_local_id(1), lane = y * WIDE + x;
  int row = get_group_id(1) * TILE, col = get_group_id(0) * TILE;
  int first = get_group_id(2) * rows, last = min(n, first + rows);
  double sum[EACH][EACH] = {{0}};
  for (int i0 = first; i0 < last; i0 += DEEP) {
    for (int t = lane; t < TILE * DEEP; t += WIDE * WIDE) {
      int i = i0 + t % DEEP, ca = row + t / DEEP, cb = col + t / DEEP;
      as[t % DEEP][t / DEEP] =
          i < last && ca < cols_a ? a[(size_t)ca * n + i] : 0;
      bs[t % DEEP][t / DEEP] =
          i < last && cb < cols_b ? b[(size_t)cb * n + i] : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < DEEP; k++)
      for (int c = 0; c < EACH; c++)
        for (int d = 0; d < EACH; d++)
          sum[c][d] = fma(as[k][y + c * WIDE], bs[k][x + d * WIDE], sum[c][d]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  partial += (size_t)get_group_id(2) * cols_a * cols_b;
  for (int c = 0; c < EACH; c++)
    for (int d = 0; d < EACH; d++) {
      int ca = row + y + c * WIDE, cb = col + x + d * WIDE;
      if (ca < cols_a && cb < cols_b)
        partial[ca * cols_b + cb] = sum[c][d];
    }
}

// out = the sum of the matrices of partial, each of size elements.
kernel void add_partial(global const double *partial, global double *out,
                        int size, int parts, int at) {
  int v = get_global_id(0);
  if (v >= size)
    return;
  double sum = 0;
  for (int k = 0; k < parts; k++)
    sum += partial[(size_t)k * size + v];
  out[at + v] = sum;
}
