// Each work-item computes the sum of a contiguous chunk, in wide vectors. This
// suits CPUs that run OpenCL, where barriers are expensive.
kernel void product(global const float *x, global const float *y,
                    global float *partial, ulong n, local float *scratch) {
  size_t chunk = (n + get_global_size(0) - 1) / get_global_size(0);
  size_t i = min(get_global_id(0) * chunk, n);
  size_t end = min(i + chunk, n);
  float16 wide = 0;
  for (; i + 16 <= end; i += 16)
    wide += vload16(0, x + i) * vload16(0, y + i);
  float8 eight = wide.lo + wide.hi;
  float4 four = eight.lo + eight.hi;
  float2 two = four.lo + four.hi;
  float sum = two.lo + two.hi;
  for (; i < end; i++)
    sum += x[i] * y[i];
  partial[get_group_id(0)] = sum;
}
