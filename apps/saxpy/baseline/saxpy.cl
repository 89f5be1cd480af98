#pragma OPENCL FP_CONTRACT OFF

// y = a*x + y; each work-item computes one element.
kernel void saxpy(float a, global const float *x, global float *y, ulong n) {
  size_t i = get_global_id(0);
  if (i < n)
    y[i] = a * x[i] + y[i];
}
