#define GROUP 256
#define MOST 8

// Everything that is computed for each observation: its log-likelihood and, for
// each component, the probability that it belongs there and two products with
// that.
kernel void member_prob(global const double *x, int n, int m,
                        global const double *theta, global double *terms) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  double logs[MOST], top = -INFINITY, total = 0, v = x[i];
  for (int k = 0; k < m; k++) {
    double alpha = theta[3 * k], mu = theta[3 * k + 1],
           lambda = theta[3 * k + 2];
    double d = v - mu;
    logs[k] = log(alpha) + 0.5 * log(lambda / (2 * M_PI * v * v * v)) -
              lambda * d * d / (2 * mu * mu * v);
    top = fmax(top, logs[k]);
  }
  for (int k = 0; k < m; k++)
    total += logs[k] = exp(logs[k] - top);
  terms[i] = top + log(total);
  for (int k = 0; k < m; k++) {
    double mu = theta[3 * k + 1], d = v - mu, p = logs[k] / total;
    global double *to = terms + (size_t)n * (1 + 3 * k);
    to[i] = p;
    to[n + i] = p * v;
    to[2 * (size_t)n + i] = p * d * d / (mu * mu * v);
  }
}

// The sums of count consecutive arrays, in one launch of one work-group: each
// work-item adds every GROUP-th element, and a tree adds the results.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
lp_sum(global const double *terms, int n, int first, int count,
       global double *sums) {
  local double partial[GROUP];
  int t = get_local_id(0);
  for (int a = first; a < first + count; a++) {
    double sum = 0;
    for (int i = t; i < n; i += GROUP)
      sum += terms[(size_t)a * n + i];
    partial[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_ = GROUP / 2; half_ > 0; half_ /= 2) {
      if (t < half_)
        partial[t] += partial[t + half_];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0)
      sums[a] = partial[0];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
