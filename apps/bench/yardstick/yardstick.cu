// What skelgo is measured against on NVIDIA's GPUs: the device copy, CUB,
// cuBLAS, cuRAND, pageable copies and launches from C.
//
//   nvcc -O3 -std=c++17 -arch=native -o yardstick yardstick.cu -lcublas -lcurand
//   yardstick [-d DEVICE] ["CASE TYPE N [ROUNDS]" ...]
//
// Without cases on the command line they come from standard input, a line
// each. The answer to a case is a line
//
//   CASE  TYPE  N  median  q1  q3
//
// with tabs between, the times in microseconds a call; or "error" and why. On
// standard input ROUNDS is 1 where it is left out, on the command line 9.
//
// TYPE is float32, float64 or int32, and for histograms also uint8 or uint16. CASE is one of
//
//   copy                                      device to device
//   reduce-sum  reduce-max  reduce-argmin     cub::DeviceReduce
//   scan-sum-inclusive  scan-sum-exclusive    cub::DeviceScan
//   scan-max-inclusive  scan-max-exclusive
//   sort  sort-pairs                          cub::DeviceRadixSort; values are int32
//   sort-struct                               cub::DeviceMergeSort, 16 bytes
//   sort-rows-COLS                            cub::DeviceSegmentedSort, N pairs
//   select-if  unique  partition-if  runs     cub::DeviceSelect, DevicePartition
//                                             and DeviceRunLengthEncode
//   histogram-256  histogram-65536            cub::DeviceHistogram, of integers from 0 on
//   histogram-even  histogram-edges           of 256 bins between -1 and 1
//   gather  permute                           kernels of this file; the indices
//                                             are a random permutation, N a power of 2
//   dot  asum  nrm2                           cuBLAS, the result on the device
//   random-uniform  random-normal             cuRAND, Philox
//   gemm                                      cuBLAS, of N x N, no tensor cores
//   h2d  d2h                                  pageable cudaMemcpy
//   frequency                                 the functional of apps/grid/frequency
//                                             at N frequencies, with fast sines
//   launch-enqueued  launch-roundtrip         a kernel on N elements
//   launch-graph                              one of 100 dependent kernels of a graph
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <cublas_v2.h>
#include <cub/cub.cuh>
#include <curand.h>
#include <cuda_runtime.h>
#include <thrust/iterator/transform_iterator.h>
#if CUB_VERSION >= 300000
#include <cuda/functional>
using Larger = ::cuda::maximum<>;
#else
using Larger = cub::Max;
#endif

static void check(cudaError_t e) {
  if (e != cudaSuccess)
    throw std::runtime_error(cudaGetErrorString(e));
}

static void check(cublasStatus_t e) {
  if (e != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error("cuBLAS error " + std::to_string((int)e));
}

// Memory that is freed with the block.
struct Memory {
  void *p = nullptr;
  explicit Memory(size_t bytes) { check(cudaMalloc(&p, bytes ? bytes : 1)); }
  ~Memory() { cudaFree(p); }
  Memory(const Memory &) = delete;
  template <class T> T *as() const { return static_cast<T *>(p); }
};

// Random elements: the finalizer of SplitMix64 of the index.
__device__ uint64_t bits(uint64_t i) {
  uint64_t x = i * 0x9e3779b97f4a7c15ull + 0x9e3779b97f4a7c15ull;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

template <class T> __device__ T element(uint64_t i) {
  return T(int64_t(bits(i) >> 40) - (1 << 23)) / T(1 << 23);
}
template <> __device__ int32_t element<int32_t>(uint64_t i) {
  return int32_t(bits(i) >> 32);
}

template <class T> __global__ void fill(T *x, uint64_t first, int64_t n) {
  for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < n;
       i += (int64_t)gridDim.x * blockDim.x)
    x[i] = element<T>(first + i);
}

template <class T> __global__ void square(const T *x, T *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = x[i] * x[i] + T(1);
}

// A case that is ready: sample() is the time of a call in microseconds.
struct Case {
  std::string name;
  std::vector<std::shared_ptr<Memory>> held;
  std::function<double()> sample;

  template <class T> T *room(int64_t n) {
    held.push_back(std::make_shared<Memory>(n * sizeof(T)));
    return held.back()->template as<T>();
  }
  template <class T> T *random(int64_t n, uint64_t first = 0) {
    T *x = room<T>(n);
    fill<<<4096, 256>>>(x, first, n);
    check(cudaGetLastError());
    return x;
  }
};

// Samples of calls that are enqueued one after the other, by events.
static std::function<double()> steady(std::function<void()> call) {
  auto run = [call](int calls) {
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    check(cudaEventRecord(begin));
    for (int i = 0; i < calls; i++)
      call();
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    float ms = 0;
    check(cudaEventElapsedTime(&ms, begin, end));
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return ms * 1e3;
  };
  run(3);
  const int few = 10;
  double one = std::max(run(few) / few, 0.5);
  int calls = std::min(2000, std::max(3, (int)(10000 / one))); // 10 ms
  return [run, calls] {
    run(1); // another program had the device
    return run(calls) / calls;
  };
}

// Samples by the host's clock, of calls that end or are waited for.
static std::function<double()> clocked(int calls, std::function<void()> call) {
  return [calls, call] {
    call(); // another program had the device
    check(cudaDeviceSynchronize());
    auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; i++)
      call();
    auto took = std::chrono::steady_clock::now() - begin;
    check(cudaDeviceSynchronize());
    return std::chrono::duration<double, std::micro>(took).count() / calls;
  };
}

// An algorithm of CUB: algorithm(temporary, bytes) with nullptr gives bytes.
template <class F> static void cubCase(Case &c, F algorithm) {
  size_t bytes = 0;
  check(algorithm(nullptr, bytes));
  void *temporary = c.room<char>(bytes);
  c.sample = steady([=] {
    size_t b = bytes;
    check(algorithm(temporary, b));
  });
}

// ArgMin has two forms: since CUB 2.8 value and index go to two places, before
// they were a pair. The first of these that there is.
template <class T>
static auto argMin(int, void *t, size_t &bytes, const T *x, T *value,
                   int64_t *index, cub::KeyValuePair<int, T> *, int n)
    -> decltype(cub::DeviceReduce::ArgMin(t, bytes, x, value, index,
                                          (int64_t)n)) {
  return cub::DeviceReduce::ArgMin(t, bytes, x, value, index, (int64_t)n);
}
template <class T>
static auto argMin(long, void *t, size_t &bytes, const T *x, T *, int64_t *,
                   cub::KeyValuePair<int, T> *pair, int n)
    -> decltype(cub::DeviceReduce::ArgMin(t, bytes, x, pair, n)) {
  return cub::DeviceReduce::ArgMin(t, bytes, x, pair, n);
}

template <class T> static bool reduceCase(Case &c, int n) {
  if (c.name.rfind("reduce-", 0) != 0)
    return false;
  T *x = c.random<T>(n), *out = c.room<T>(1);
  if (c.name == "reduce-sum")
    cubCase(c, [=](void *t, size_t &b) {
      return cub::DeviceReduce::Sum(t, b, x, out, n);
    });
  else if (c.name == "reduce-max")
    cubCase(c, [=](void *t, size_t &b) {
      return cub::DeviceReduce::Max(t, b, x, out, n);
    });
  else if (c.name == "reduce-argmin") {
    auto *index = c.room<int64_t>(1);
    auto *pair = c.room<cub::KeyValuePair<int, T>>(1);
    cubCase(c, [=](void *t, size_t &b) {
      return argMin<T>(0, t, b, x, out, index, pair, n);
    });
  } else
    return false;
  return true;
}

template <class T> static bool scanCase(Case &c, int n) {
  if (c.name.rfind("scan-", 0) != 0)
    return false;
  T *x = c.random<T>(n), *out = c.room<T>(n);
  const T lowest = std::numeric_limits<T>::lowest();
  if (c.name == "scan-sum-inclusive")
    cubCase(c, [=](void *t, size_t &b) {
      return cub::DeviceScan::InclusiveSum(t, b, x, out, n);
    });
  else if (c.name == "scan-sum-exclusive")
    cubCase(c, [=](void *t, size_t &b) {
      return cub::DeviceScan::ExclusiveSum(t, b, x, out, n);
    });
  else if (c.name == "scan-max-inclusive")
    cubCase(c, [=](void *t, size_t &b) {
      return cub::DeviceScan::InclusiveScan(t, b, x, out, Larger{}, n);
    });
  else if (c.name == "scan-max-exclusive")
    cubCase(c, [=](void *t, size_t &b) {
      return cub::DeviceScan::ExclusiveScan(t, b, x, out, Larger{}, lowest, n);
    });
  else
    return false;
  return true;
}

template <class T> static bool sortCase(Case &c, int n) {
  if (c.name.rfind("sort", 0) != 0)
    return false;
  T *x = c.random<T>(n), *out = c.room<T>(n);
  if (c.name == "sort")
    cubCase(c, [=](void *t, size_t &b) {
      return cub::DeviceRadixSort::SortKeys(t, b, x, out, n);
    });
  else if (c.name == "sort-pairs") {
    int32_t *v = c.random<int32_t>(n), *moved = c.room<int32_t>(n);
    cubCase(c, [=](void *t, size_t &b) {
      return cub::DeviceRadixSort::SortPairs(t, b, x, out, v, moved, n);
    });
  } else
    return false;
  return true;
}

// An element that is sorted by a comparison.
struct Ranked {
  uint32_t rank;
  int32_t n;
  double x;
};
struct LowerRank {
  __device__ bool operator()(const Ranked &a, const Ranked &b) const {
    return a.rank < b.rank;
  }
};

// Sorts of float32: structs of which the rank is random, and rows of keys with
// int32 values.
static bool mergeSortCase(Case &c, int n) {
  if (c.name == "sort-struct") {
    auto *x = (Ranked *)c.random<double>(2 * (int64_t)n);
    auto *out = c.room<Ranked>(n);
    cubCase(c, [=](void *t, size_t &b) {
      return cub::DeviceMergeSort::SortKeysCopy(t, b, x, out, n, LowerRank{});
    });
    return true;
  }
  if (c.name.rfind("sort-rows-", 0) != 0)
    return false;
  int cols = std::stoi(c.name.substr(10)), rows = n / cols;
  std::vector<int> offsets(rows + 1);
  for (int i = 0; i <= rows; i++)
    offsets[i] = i * cols;
  int *at = c.room<int>(rows + 1);
  check(cudaMemcpy(at, offsets.data(), (rows + 1) * sizeof(int),
                   cudaMemcpyHostToDevice));
  auto *keys = c.random<float>(n), *sorted = c.room<float>(n);
  int32_t *values = c.random<int32_t>(n), *moved = c.room<int32_t>(n);
  cubCase(c, [=](void *t, size_t &b) {
    return cub::DeviceSegmentedSort::SortPairs(t, b, keys, sorted, values,
                                               moved, n, rows, at, at + 1);
  });
  return true;
}

// Half of the elements are positive. The runs of the last case are those of a sign.
struct Positive {
  template <class T> __host__ __device__ bool operator()(T x) const { return x > 0; }
};
struct Sign {
  template <class T> __host__ __device__ bool operator()(T x) const { return x > 0; }
};

template <class T> static bool selectCase(Case &c, int n) {
  if (c.name != "select-if" && c.name != "partition-if" && c.name != "unique" &&
      c.name != "runs")
    return false;
  T *x = c.random<T>(n), *out = c.room<T>(n);
  int *kept = c.room<int>(1);
  if (c.name == "select-if")
    cubCase(c, [=](void *t, size_t &b) {
      return cub::DeviceSelect::If(t, b, x, out, kept, n, Positive{});
    });
  else if (c.name == "partition-if")
    cubCase(c, [=](void *t, size_t &b) {
      return cub::DevicePartition::If(t, b, x, out, kept, n, Positive{});
    });
  else if (c.name == "unique")
    cubCase(c, [=](void *t, size_t &b) {
      return cub::DeviceSelect::Unique(t, b, x, out, kept, n);
    });
  else {
    int *counts = c.room<int>(n);
    bool *values = c.room<bool>(n);
    auto signs = thrust::make_transform_iterator(x, Sign{});
    cubCase(c, [=](void *t, size_t &b) {
      return cub::DeviceRunLengthEncode::Encode(t, b, signs, values, counts, kept, n);
    });
  }
  return true;
}

// The permutation of place in apps/bench/move.go; n is a power of 2.
__global__ void permutation(int64_t *at, int64_t n) {
  uint64_t mask = n - 1;
  for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < n;
       i += (int64_t)gridDim.x * blockDim.x) {
    uint64_t x = (i * 0x9e3779b97f4a7c15ull + 0x7f4a7c15) & mask;
    x = (x ^ x >> 13) * 0xbf58476d1ce4e5b9ull & mask;
    x = (x ^ x >> 9) * 0x94d049bb133111ebull & mask;
    at[i] = x ^ x >> 13;
  }
}

template <class T>
__global__ void gather(const T *from, const int64_t *at, T *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = from[at[i]];
}

template <class T>
__global__ void permute(T *to, const int64_t *at, const T *values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[at[i]] = values[i];
}

template <class T> static bool moveCase(Case &c, int n) {
  if (c.name != "gather" && c.name != "permute")
    return false;
  if (n & (n - 1))
    throw std::runtime_error("the number of elements is not a power of 2");
  T *x = c.random<T>(n), *out = c.room<T>(n);
  auto *at = c.room<int64_t>(n);
  permutation<<<4096, 256>>>(at, n);
  check(cudaGetLastError());
  int groups = (n - 1) / 256 + 1;
  if (c.name == "gather")
    c.sample = steady([=] { gather<<<groups, 256>>>(x, at, out, n); });
  else
    c.sample = steady([=] { permute<<<groups, 256>>>(out, at, x, n); });
  return true;
}

static cublasHandle_t handle() {
  static cublasHandle_t h = [] {
    cublasHandle_t h;
    check(cublasCreate(&h));
    check(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE));
    return h;
  }();
  return h;
}

static cublasStatus_t dot(int n, const float *x, const float *y, float *r) {
  return cublasSdot(handle(), n, x, 1, y, 1, r);
}
static cublasStatus_t dot(int n, const double *x, const double *y, double *r) {
  return cublasDdot(handle(), n, x, 1, y, 1, r);
}
static cublasStatus_t asum(int n, const float *x, float *r) {
  return cublasSasum(handle(), n, x, 1, r);
}
static cublasStatus_t asum(int n, const double *x, double *r) {
  return cublasDasum(handle(), n, x, 1, r);
}
static cublasStatus_t nrm2(int n, const float *x, float *r) {
  return cublasSnrm2(handle(), n, x, 1, r);
}
static cublasStatus_t nrm2(int n, const double *x, double *r) {
  return cublasDnrm2(handle(), n, x, 1, r);
}

static cublasStatus_t gemm(int n, const float *one, const float *a,
                           const float *b, const float *zero, float *c) {
  return cublasSgemm(handle(), CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, one, b, n, a,
                     n, zero, c, n);
}
static cublasStatus_t gemm(int n, const double *one, const double *a,
                           const double *b, const double *zero, double *c) {
  return cublasDgemm(handle(), CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, one, b, n, a,
                     n, zero, c, n);
}

// A product of matrices by rows, which are those by columns in the other order.
template <class T> static bool gemmCase(Case &c, int n) {
  if (c.name != "gemm")
    return false;
  const T factors[2] = {1, 0};
  int64_t all = (int64_t)n * n;
  T *a = c.random<T>(all), *b = c.random<T>(all, 1ull << 40);
  T *out = c.room<T>(all), *f = c.room<T>(2);
  check(cudaMemcpy(f, factors, sizeof factors, cudaMemcpyHostToDevice));
  // The default is float32 arithmetic for float32; TF32 has to be asked for.
  check(cublasSetMathMode(handle(), CUBLAS_DEFAULT_MATH));
  c.sample = steady([=] { check(gemm(n, f, a, b, f + 1, out)); });
  return true;
}
template <> bool gemmCase<int32_t>(Case &, int) { return false; }

template <class T> static bool blasCase(Case &c, int n) {
  if (c.name != "dot" && c.name != "asum" && c.name != "nrm2")
    return false;
  T *x = c.random<T>(n), *out = c.room<T>(1);
  if (c.name == "dot") {
    T *y = c.random<T>(n, 1ull << 40);
    c.sample = steady([=] { check(dot(n, x, y, out)); });
  } else if (c.name == "asum")
    c.sample = steady([=] { check(asum(n, x, out)); });
  else
    c.sample = steady([=] { check(nrm2(n, x, out)); });
  return true;
}
template <> bool blasCase<int32_t>(Case &, int) { return false; }

static void check(curandStatus_t e) {
  if (e != CURAND_STATUS_SUCCESS)
    throw std::runtime_error("cuRAND: status " + std::to_string(e));
}

static curandStatus_t uniform(curandGenerator_t g, float *x, int n) {
  return curandGenerateUniform(g, x, n);
}
static curandStatus_t uniform(curandGenerator_t g, double *x, int n) {
  return curandGenerateUniformDouble(g, x, n);
}
static curandStatus_t normal(curandGenerator_t g, float *x, int n) {
  return curandGenerateNormal(g, x, n, 0, 1);
}
static curandStatus_t normal(curandGenerator_t g, double *x, int n) {
  return curandGenerateNormalDouble(g, x, n, 0, 1);
}

// Random numbers of Philox4x32-10; n is even for normal numbers.
template <class T> static bool randomCase(Case &c, int n) {
  if (c.name != "random-uniform" && c.name != "random-normal")
    return false;
  static curandGenerator_t g = [] {
    curandGenerator_t g;
    check(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_PHILOX4_32_10));
    return g;
  }();
  T *x = c.room<T>(n);
  if (c.name == "random-uniform")
    c.sample = steady([=] { check(uniform(g, x, n)); });
  else
    c.sample = steady([=] { check(normal(g, x, n)); });
  return true;
}
template <> bool randomCase<int32_t>(Case &, int) { return false; }

// Copies between a slice of the host, whose pages are there, and the device.
template <class T> static bool copyCase(Case &c, int64_t n) {
  size_t bytes = n * sizeof(T);
  if (c.name == "copy") {
    T *x = c.random<T>(n), *out = c.room<T>(n);
    c.sample = steady([=] {
      check(cudaMemcpyAsync(out, x, bytes, cudaMemcpyDeviceToDevice));
    });
    return true;
  }
  if (c.name != "h2d" && c.name != "d2h")
    return false;
  T *x = c.random<T>(n);
  auto host = std::make_shared<std::vector<T>>(n);
  check(cudaMemcpy(host->data(), x, bytes, cudaMemcpyDeviceToHost));
  bool up = c.name == "h2d";
  c.sample = clocked(1, [=] {
    if (up)
      check(cudaMemcpy(x, host->data(), bytes, cudaMemcpyHostToDevice));
    else
      check(cudaMemcpy(host->data(), x, bytes, cudaMemcpyDeviceToHost));
    check(cudaDeviceSynchronize());
  });
  return true;
}

template <class T> static bool launchCase(Case &c, int n) {
  if (c.name.rfind("launch-", 0) != 0)
    return false;
  T *x = c.random<T>(n), *out = c.room<T>(n);
  int groups = (n + 255) / 256;
  if (c.name == "launch-enqueued")
    c.sample = clocked(200, [=] { square<<<groups, 256>>>(x, out, n); });
  else if (c.name == "launch-roundtrip")
    c.sample = clocked(200, [=] {
      square<<<groups, 256>>>(x, out, n);
      check(cudaDeviceSynchronize());
    });
  else if (c.name == "launch-graph") {
    const int kernels = 100;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    check(cudaStreamCreate(&stream));
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < kernels; i++)
      square<<<groups, 256, 0, stream>>>(out, out, n);
    check(cudaStreamEndCapture(stream, &graph));
    check(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    auto replay = clocked(20, [=] {
      check(cudaGraphLaunch(exec, stream));
      check(cudaStreamSynchronize(stream));
    });
    c.sample = [=] { return replay() / kernels; }; // lives as long as the program
  } else
    return false;
  return true;
}

// Keeps the low bits of random integers, which are then evenly distributed.
template <class T> __global__ void keep(T *x, int mask, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    x[i] = T((int)bits(i) & mask);
}

template <class T> static bool histogramCase(Case &c, int n) {
  if (c.name.rfind("histogram-", 0) != 0)
    return false;
  std::string form = c.name.substr(10);
  if (form == "even" || form == "edges") {
    const int bins = 256;
    float *x = c.random<float>(n), *edges = c.room<float>(bins + 1);
    int *counts = c.room<int>(bins);
    std::vector<float> at(bins + 1);
    for (int k = 0; k <= bins; k++)
      at[k] = -1 + 2.0f * k / bins;
    check(cudaMemcpy(edges, at.data(), at.size() * sizeof(float), cudaMemcpyHostToDevice));
    if (form == "even")
      cubCase(c, [=](void *t, size_t &b) {
        return cub::DeviceHistogram::HistogramEven(t, b, x, counts, bins + 1, -1.0f, 1.0f, n);
      });
    else
      cubCase(c, [=](void *t, size_t &b) {
        return cub::DeviceHistogram::HistogramRange(t, b, x, counts, bins + 1, edges, n);
      });
    return true;
  }
  int bins = std::stoi(form);
  T *x = c.room<T>(n);
  int *counts = c.room<int>(bins);
  keep<<<4096, 256>>>(x, bins - 1, n);
  check(cudaGetLastError());
  cubCase(c, [=](void *t, size_t &b) {
    return cub::DeviceHistogram::HistogramEven(t, b, x, counts, bins + 1, 0, bins, n);
  });
  return true;
}

template <class T> static void openHistogram(Case &c, int64_t n) {
  if (n < 1 || n > std::numeric_limits<int>::max() || !histogramCase<T>(c, (int)n))
    throw std::runtime_error("no case " + c.name + " for this type");
}

// The energy that remains of 16 * 150 samples when the best combination of a
// phase-coded carrier and of an oscillation is subtracted: four normal equations
// for every frequency, in one thread.
__global__ void frequencyValues(float *values, int n, float step, float begin) {
  int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= n)
    return;
  const float turn = 2.0f * 3.14159f * 2.0e-7f;
  float f = begin + step * node, q = 0, r[4] = {}, c[4][4] = {}, a[4][5];
  unsigned code = 0xc44b;
  for (int bit = 0; bit < 16; bit++, code <<= 1) {
    float sign = code & 0x8000 ? 1.0f : -1.0f;
    for (int j = bit * 150; j < bit * 150 + 150; j++) {
      float x[4] = {sign * __cosf(turn * 465000.0f * j), sign * __sinf(turn * 465000.0f * j),
                    __cosf(turn * f * j), __sinf(turn * f * j)};
      float sample = __sinf(turn * 467321.36f * j);
      q += sample * sample;
      for (int k = 0; k < 4; k++) {
        r[k] += x[k] * sample;
        for (int l = k; l < 4; l++)
          c[k][l] += x[k] * x[l];
      }
    }
  }
  for (int k = 0; k < 4; k++) {
    for (int l = 0; l < 4; l++)
      a[k][l] = k < l ? c[k][l] : c[l][k];
    a[k][4] = r[k];
  }
  for (int p = 0; p < 4; p++) {
    float inverse = 1 / a[p][p];
    for (int l = p; l < 5; l++)
      a[p][l] *= inverse;
    for (int k = 0; k < 4; k++)
      if (k != p) {
        float factor = a[k][p];
        for (int l = p; l < 5; l++)
          a[k][l] -= factor * a[p][l];
      }
  }
  values[node] = q - (r[0] * a[0][4] + r[1] * a[1][4] + r[2] * a[2][4] + r[3] * a[3][4]);
}

static bool frequencyCase(Case &c, int n) {
  if (c.name != "frequency")
    return false;
  float *values = c.room<float>(n);
  c.sample = steady([=] {
    frequencyValues<<<(n + 255) / 256, 256>>>(values, n, 13000.0f / n, 460000.0f);
    check(cudaGetLastError());
  });
  return true;
}

template <class T> static void open(Case &c, int64_t n) {
  if (n < 1)
    throw std::runtime_error("a case has at least one element");
  if (copyCase<T>(c, n))
    return;
  if (n > std::numeric_limits<int>::max())
    throw std::runtime_error("more elements than an int counts");
  int count = (int)n;
  if (std::is_same<T, float>::value && (mergeSortCase(c, count) || frequencyCase(c, count)))
    return;
  if (!reduceCase<T>(c, count) && !scanCase<T>(c, count) &&
      !sortCase<T>(c, count) && !selectCase<T>(c, count) &&
      !moveCase<T>(c, count) &&
      !blasCase<T>(c, count) && !gemmCase<T>(c, count) &&
      !randomCase<T>(c, count) &&
      !launchCase<T>(c, count))
    throw std::runtime_error("no case " + c.name + " for this type");
}

// The case of the last request stays open for the next.
static void answer(const std::string &request, int usual) {
  static std::string opened;
  static Case c;
  std::istringstream words(request);
  std::string name, type;
  long long n = 0;
  int rounds = 0;
  if (!(words >> name >> type >> n))
    throw std::runtime_error("a case is: CASE TYPE N [ROUNDS]");
  if (!(words >> rounds))
    rounds = usual;
  std::string key = name + " " + type + " " + std::to_string(n);
  if (key != opened) {
    opened.clear();
    c = Case();
    c.name = name;
    if (name.rfind("histogram-", 0) == 0 && type == "uint8")
      openHistogram<uint8_t>(c, n);
    else if (name.rfind("histogram-", 0) == 0 && type == "uint16")
      openHistogram<uint16_t>(c, n);
    else if (name.rfind("histogram-", 0) == 0)
      openHistogram<int32_t>(c, n);
    else if (type == "float32")
      open<float>(c, n);
    else if (type == "float64")
      open<double>(c, n);
    else if (type == "int32")
      open<int32_t>(c, n);
    else
      throw std::runtime_error("no type " + type);
    c.sample();
    check(cudaDeviceSynchronize());
    opened = key;
  }
  std::vector<double> times;
  for (int i = 0; i < std::max(1, rounds); i++)
    times.push_back(c.sample());
  std::sort(times.begin(), times.end());
  auto quantile = [&](double q) {
    double at = q * (times.size() - 1);
    size_t i = (size_t)at, j = std::min(i + 1, times.size() - 1);
    return times[i] + (at - i) * (times[j] - times[i]);
  };
  std::printf("%s\t%s\t%lld\t%.4f\t%.4f\t%.4f\n", name.c_str(), type.c_str(), n,
              quantile(0.5), quantile(0.25), quantile(0.75));
  std::fflush(stdout);
}

static bool tryAnswer(const std::string &request, int usual) {
  try {
    answer(request, usual);
    return true;
  } catch (const std::exception &e) {
    cudaGetLastError(); // so that it does not show up in the next case
    std::printf("error\t%s: %s\n", request.c_str(), e.what());
    std::fflush(stdout);
    return false;
  }
}

int main(int argc, char **argv) {
  int first = 1;
  if (argc > 2 && std::string(argv[1]) == "-d") {
    cudaError_t e = cudaSetDevice(std::atoi(argv[2]));
    if (e != cudaSuccess) {
      std::fprintf(stderr, "yardstick: device %s: %s\n", argv[2],
                   cudaGetErrorString(e));
      return 1;
    }
    first = 3;
  }
  bool ok = true;
  for (int i = first; i < argc; i++)
    ok = tryAnswer(argv[i], 9) && ok;
  std::string line;
  while (argc == first && std::getline(std::cin, line))
    tryAnswer(line, 1);
  return ok ? 0 : 1;
}
