#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

#define PI 3.14159 // the paper's

// Returns r' C^-1 r for the symmetric matrix C, by Gauss-Jordan elimination.
double quadratic(double c[4][4], double r[4]) {
  double a[4][5], sum = 0;
  for (int k = 0; k < 4; k++) {
    for (int l = 0; l < 4; l++)
      a[k][l] = k < l ? c[k][l] : c[l][k];
    a[k][4] = r[k];
  }
  for (int p = 0; p < 4; p++) {
    double inverse = 1 / a[p][p];
    for (int l = p; l < 5; l++)
      a[p][l] *= inverse;
    for (int k = 0; k < 4; k++)
      if (k != p) {
        double factor = a[k][p];
        for (int l = p; l < 5; l++)
          a[k][l] -= factor * a[p][l];
      }
  }
  for (int k = 0; k < 4; k++)
    sum += r[k] * a[k][4];
  return sum;
}

// The energy that remains of 16 * 150 samples when the best combination of a
// phase-coded carrier and of an oscillation is subtracted.
kernel void functional(global double *values, ulong n, double begin,
                       double step) {
  ulong node = get_global_id(0);
  if (node >= n)
    return;
  const double turn = 2 * PI * 2.0e-7;
  double frequency = begin + step * node, q = 0, r[4] = {0}, c[4][4] = {{0}};
  ushort code = 0xc44b;
  for (int bit = 0; bit < 16; bit++, code <<= 1) {
    double sign = code & 0x8000 ? 1 : -1;
    for (int j = bit * 150; j < bit * 150 + 150; j++) {
      double x[4] = {sign * cos(turn * 465000.0 * j),
                     sign * sin(turn * 465000.0 * j), cos(turn * frequency * j),
                     sin(turn * frequency * j)};
      double sample = sin(turn * 467321.36 * j);
      q += sample * sample;
      for (int k = 0; k < 4; k++) {
        r[k] += x[k] * sample;
        for (int l = k; l < 4; l++)
          c[k][l] += x[k] * x[l];
      }
    }
  }
  values[node] = q - quadratic(c, r);
}
