// Whether the caller's group is the last one to come here; then what the
// others wrote before is visible. The counter is zero again afterwards.
FUNC int arrive_last(GLOBAL u32 *counter) {
	FENCE();
	int last = ATOMIC_INC(counter) == (u32)groups() - 1;
	if (last)
		*counter = 0;
	FENCE();
	return last;
}
