// Package severaltest tests calls over several GPUs, also without a GPU: on
// emulated CUDA devices (devices/cuda/emulator), which run the kernels for GPUs
// and copy to each other as GPUs do. With SKEL_DEVICE=cuda:all it runs on GPUs.
// Package skeltest has the suite that every device runs; the tests here are
// about what only several GPUs do.
package severaltest
