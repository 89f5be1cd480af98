// Package cuda owns prelude.cu, the text that makes the shared C subset fit
// CUDA C, so that generated code can be type-checked as CUDA on a machine
// without a GPU. Start with prelude.cu; its twin is devices/opencl/prelude.cl.
package cuda

import _ "embed"

// Prelude comes before every program that is built as CUDA C.
//
//go:embed prelude.cu
var Prelude string
