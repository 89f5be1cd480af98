package emit_test

import "testing"

func TestPreludesAlone(t *testing.T) {
	for _, d := range dialects {
		d.check(t,
			"KERNEL k(CTX_K GLOBAL i32 *p) { p[group_id() * lanes() + lane_id()] = (i32)groups(); BARRIER(); }\n")
	}
}
