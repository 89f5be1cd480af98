// Package moduletest holds no code but a test that uses skelgo as a stranger
// does: from a module of its own, which it makes, generates, builds and runs on
// the CPU and on OpenCL. What breaks only there belongs here; the programs are
// in module.txtar.
package moduletest
