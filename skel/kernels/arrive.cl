// arrive_last reports whether the caller's group is the last of the launch to call it. Groups
// are counted with an atomic, as in NVIDIA's threadFenceReduction sample. The last group sees
// everything that the others wrote before they called; it resets the counter to zero.
FUNC int arrive_last(GLOBAL u32 *counter) {
	FENCE();
	int last = ATOMIC_INC(counter) == (u32)groups() - 1;
	if (last)
		*counter = 0;
	FENCE();
	return last;
}
