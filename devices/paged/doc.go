// Package paged makes devices that can hold more than their memory.
//
// A [Pager] divides a device into pages: devices that share its queue and its memory.
// The buffers of pages are virtual. A call on a page first brings the buffers that it uses
// into the memory of the device. If that is full, other buffers leave it: their contents are
// saved on the host, unless the host has them already or they can be read again from where
// they came, such as a file. Because a container is spread over pages like over
// several devices, skeletons compute it one part after the other, and their results do not
// depend on the number of pages.
//
// # Which buffer leaves
//
// Algorithms that iterate over all parts use them in turn, so the part that was not used
// for longest is the next one to be used. Therefore a quarter of the memory is for
// passing through: what leaves is the buffer that was used longest ago among those most recently used
// ones that fill this quarter, or, if that is not enough, the one just before them. The
// buffers in the other three quarters stay and are not moved again in each iteration.
//
// Saving a buffer takes time, during which the device would wait. So the next
// buffers to leave are saved in advance, while the device computes.
//
// # Order of calls
//
// Launches, copies between pages and small writes are enqueued, and made later: when a result is read, an event is
// waited for, or a device is synchronized. Then all calls of one page are made before those of the next one, as far as
// none needs what another page has not computed yet, so that several calls on the same containers load each part
// once, and a result that is freed before it has left the device is never saved. Calls that use the same buffer, one of
// which changes it, keep their order. What is transferred at once, such as the data of a large write, is preceded by
// the calls that use the same buffer.
//
// If a call fails, because its operands do not fit or a source cannot be read, the buffers that it should have
// changed return its error when they are read, and calls that need them fail, too.
//
// A recording of launches on the device must not begin before [Pager.Wait] has returned.
package paged
