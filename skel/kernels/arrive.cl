// arrive_last_of reports whether the caller's group is the last of `count` to call it. Groups
// are counted with an atomic, as in NVIDIA's threadFenceReduction sample. The last group sees
// everything that the others wrote before they called; it resets the counter to zero.
FUNC int arrive_last_of(GLOBAL u32 *counter, i64 count) {
	FENCE();
	int last = ATOMIC_INC(counter) == (u32)count - 1;
	if (last)
		*counter = 0;
	FENCE();
	return last;
}

// arrive_last is arrive_last_of all groups of the launch.
FUNC int arrive_last(GLOBAL u32 *counter) { return arrive_last_of(counter, groups()); }
