#pragma OPENCL FP_CONTRACT OFF

// Each work-item computes one pixel: the number of steps after which z = z*z +
// c leaves the circle of radius 2, or limit.
kernel void mandelbrot(global int *image, int rows, int cols, float left,
                       float top, float step, int limit) {
  int col = get_global_id(0), row = get_global_id(1);
  if (row >= rows || col >= cols)
    return;
  float cr = left + col * step, ci = top - row * step;
  float x = 0, y = 0;
  int n = 0;
  while (n < limit && x * x + y * y <= 4) {
    float next = x * x - y * y + cr;
    y = 2 * x * y + ci;
    x = next;
    n++;
  }
  image[(size_t)row * cols + col] = n;
}
