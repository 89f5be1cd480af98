package mpi

// LaunchedBy is Launched with the environment of another process.
func LaunchedBy(getenv func(string) string) (Launcher, bool) { return launched(getenv) }

// SetLargest sets the most bytes in one message.
func SetLargest(n int) { largest = n }
