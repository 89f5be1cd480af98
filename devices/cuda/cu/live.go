package cu

import "sync/atomic"

// Counts holds the number of objects of each kind.
type Counts struct{ Contexts, Streams, Events, Modules, Graphs, Allocations, HostAllocations, Programs int64 }

var live struct {
	contexts, streams, events, modules, graphs, allocations, host, programs atomic.Int64
}

// Live returns the number of objects that have not been released.
func Live() Counts {
	return Counts{
		live.contexts.Load(), live.streams.Load(), live.events.Load(), live.modules.Load(),
		live.graphs.Load(), live.allocations.Load(), live.host.Load(), live.programs.Load(),
	}
}
