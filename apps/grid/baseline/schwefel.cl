#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

// Schwefel's function on a grid of dim axes, which are alike and have size
// nodes each. The last one is the fastest.
kernel void schwefel(global double *values, ulong n, double begin, double step,
                     int dim, ulong size) {
  ulong node = get_global_id(0);
  if (node >= n)
    return;
  double value = 418.9829 * dim;
  for (ulong rest = node; dim > 0; dim--, rest /= size) {
    double x = begin + step * (rest % size);
    value -= x * sin(sqrt(fabs(x)));
  }
  values[node] = value;
}
