// Hand-written kernels for CPUs that run OpenCL (PoCL). In map and zip, each
// work-item computes one element; in reduce and scan, a contiguous chunk. The
// wide variants compute 16 elements at a time, as vectors.

kernel void map(global const float *x, global float *out, ulong n) {
  size_t i = get_global_id(0);
  if (i < n)
    out[i] = x[i] * x[i] + 1;
}

kernel void zip(global const float *x, global const float *y, global float *out,
                ulong n) {
  size_t i = get_global_id(0);
  if (i < n)
    out[i] = x[i] * y[i];
}

kernel void map_wide(global const float *x, global float *out, ulong n) {
  size_t i = get_global_id(0) * 16;
  if (i + 16 <= n) {
    float16 v = vload16(0, x + i);
    vstore16(v * v + 1, 0, out + i);
    return;
  }
  for (; i < n; i++)
    out[i] = x[i] * x[i] + 1;
}

kernel void zip_wide(global const float *x, global const float *y,
                     global float *out, ulong n) {
  size_t i = get_global_id(0) * 16;
  if (i + 16 <= n) {
    vstore16(vload16(0, x + i) * vload16(0, y + i), 0, out + i);
    return;
  }
  for (; i < n; i++)
    out[i] = x[i] * y[i];
}

float total(float16 v) {
  float8 a = v.lo + v.hi;
  float4 b = a.lo + a.hi;
  return (b.x + b.y) + (b.z + b.w);
}

// The bounds of this work-item's chunk; chunks are multiples of 16 elements.
#define CHUNK                                                                  \
  size_t chunk =                                                               \
      ((n + 15) / 16 + get_global_size(0) - 1) / get_global_size(0) * 16;      \
  size_t i = min(get_global_id(0) * chunk, n), end = min(i + chunk, n);

kernel void reduce(global const float *x, global float *partial, ulong n) {
  CHUNK
  float sum = 0;
  for (; i < end; i++)
    sum += x[i];
  partial[get_global_id(0)] = sum;
}

kernel void reduce_wide(global const float *x, global float *partial, ulong n) {
  CHUNK
  float16 wide = 0;
  for (; i + 16 <= end; i += 16)
    wide += vload16(0, x + i);
  float sum = total(wide);
  for (; i < end; i++)
    sum += x[i];
  partial[get_global_id(0)] = sum;
}

kernel void product(global const float *x, global const float *y,
                    global float *partial, ulong n) {
  CHUNK
  float sum = 0;
  for (; i < end; i++)
    sum += x[i] * y[i];
  partial[get_global_id(0)] = sum;
}

kernel void product_wide(global const float *x, global const float *y,
                         global float *partial, ulong n) {
  CHUNK
  float16 wide = 0;
  for (; i + 16 <= end; i += 16)
    wide += vload16(0, x + i) * vload16(0, y + i);
  float sum = total(wide);
  for (; i < end; i++)
    sum += x[i] * y[i];
  partial[get_global_id(0)] = sum;
}

// partial[0] = the sum of all; one work-item.
kernel void finish(global float *partial, ulong count) {
  float sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += partial[i];
  partial[0] = sum;
}

// partial = its exclusive scan; one work-item.
kernel void offsets(global float *partial, ulong count) {
  float sum = 0;
  for (size_t i = 0; i < count; i++) {
    float next = sum + partial[i];
    partial[i] = sum;
    sum = next;
  }
}

kernel void scan(global const float *x, global const float *partial,
                 global float *out, ulong n) {
  CHUNK
  float sum = partial[get_global_id(0)];
  for (; i < end; i++)
    out[i] = sum += x[i];
}

kernel void scan_wide(global const float *x, global const float *partial,
                      global float *out, ulong n) {
  CHUNK
  float sum = partial[get_global_id(0)];
  for (; i + 16 <= end; i += 16) {
    float16 v = vload16(0, x + i);
    v += (float16)(0, v.s012, v.s3456, v.s789abcde);
    v += (float16)((float2)0, v.s01, v.s2345, v.s6789abcd);
    v += (float16)((float4)0, v.s0123, v.s456789ab);
    v += (float16)((float8)0, v.s01234567);
    v += sum;
    vstore16(v, 0, out + i);
    sum = v.sf;
  }
  for (; i < end; i++)
    out[i] = sum += x[i];
}
