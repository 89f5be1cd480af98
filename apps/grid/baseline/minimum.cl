#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

#define GROUP 256

// The least value of the work-group's nodes, its lowest position, and the
// number of values that are not finite. The position is n if no value is
// finite.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
minimum(global const double *values, ulong n, global double *least,
        global ulong *position, global ulong *lost) {
  local double value[GROUP];
  local ulong place[GROUP], none[GROUP];
  int t = get_local_id(0);
  double best = INFINITY;
  ulong at = n, missing = 0;
  for (ulong i = get_global_id(0); i < n; i += get_global_size(0)) {
    double v = values[i];
    if (!isfinite(v))
      missing++;
    else if (v < best) {
      best = v;
      at = i;
    }
  }
  value[t] = best;
  place[t] = at;
  none[t] = missing;
  for (int k = GROUP / 2; k > 0; k /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < k) {
      none[t] += none[t + k];
      if (value[t + k] < value[t] ||
          (value[t + k] == value[t] && place[t + k] < place[t])) {
        value[t] = value[t + k];
        place[t] = place[t + k];
      }
    }
  }
  if (t == 0) {
    least[get_group_id(0)] = value[0];
    position[get_group_id(0)] = place[0];
    lost[get_group_id(0)] = none[0];
  }
}
