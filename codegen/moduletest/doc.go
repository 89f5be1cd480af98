// Package moduletest contains only a test that uses skelgo as an outside user
// does: in a separate module, which the test creates, generates, builds, and
// runs on the CPU and on OpenCL. It is for problems that appear only there. The
// programs are in module.txtar.
package moduletest
