package skeltest

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// Sizes that 32 bits do not hold. Elements are bytes whose sums are known, so
// that every one can be checked on the device.

// hugeSizes are a small one, and those just past what an int32 and a uint32 hold.
var hugeSizes = []struct {
	name       string
	n          int
	rows, cols int // a matrix of n elements
}{
	{"1000001", 1_000_001, 101, 9901},
	{"2^31+1", 1<<31 + 1, 3, 715_827_883},
	{"2^32+1", 1<<32 + 1, 641, 6_700_417},
}

// hugeRoom is the memory that a device must have to hold the vectors: the
// largest, of bytes, is of 4 GiB, and there are up to three at a time.
const hugeRoom = 24 << 30

// byteAt depends on every bit of i.
func byteAt(i int) uint8 { return uint8(i + i>>7 + i>>15 + i>>23 + i>>30) }

// sumOfShifts is the sum of i>>s for all i below n.
func sumOfShifts(n, s int) int {
	q := n >> s
	rest, even, odd := n-q<<s, q, q-1
	if q&1 != 0 {
		even, odd = odd, even
	}
	return (even>>1*odd)<<s + rest*q
}

// sumBefore is the sum of byteAt below n.
func sumBefore(n int) uint8 {
	return uint8(sumOfShifts(n, 0) + sumOfShifts(n, 7) + sumOfShifts(n, 15) + sumOfShifts(n, 23) + sumOfShifts(n, 30))
}

func signedByteAt(i int) int8 { return int8(byteAt(i)) }

func unlike(x, y uint8) int {
	if x != y {
		return 1
	}
	return 0
}

// hugeKey is which stretch of 2^30 positions i is in.
func hugeKey(i int) int32 { return int32(i >> 30) }

func rowByte(at matrix.Index) uint8 { return uint8(at.Row>>4 + at.Col) }

// reach is a stretch of positions, as span is, in 64 bits.
type reach struct {
	From, To int
	Spoilt   bool
}

func stretchAt(i int) reach { return reach{i, i + 1, false} }

func follow(x, y reach) reach {
	return reach{x.From, y.To, x.Spoilt || y.Spoilt || x.To != y.From}
}

// sumsAt is a scan, whose element i sums the bytes from Start, or the last of
// Cuts at or before i, to i+Past.
type sumsAt struct {
	Scan vector.View[uint8]
	Cuts vector.View[int]
	Past int
}

func prefixUnlike(i int, p sumsAt) int {
	start := 0
	for k := range p.Cuts.Len() {
		if c := p.Cuts.At(k); c <= i {
			start = c
		}
	}
	return unlike(p.Scan.At(i), sumBefore(i+p.Past)-sumBefore(start))
}

// rowSums has the sums of rows of Cols elements.
type rowSums struct {
	Sums vector.View[uint8]
	Cols int
}

func rowSumUnlike(i int, r rowSums) int {
	return unlike(r.Sums.At(i), sumBefore((i+1)*r.Cols)-sumBefore(i*r.Cols))
}

func rowByteSumUnlike(i int, sums vector.View[uint8]) int {
	return unlike(sums.At(i), uint8(i>>4*2+1))
}

type turning struct {
	From vector.View[uint8]
	To   vector.OutView[uint8]
}

// turnRound puts element i to the place from the end.
func turnRound(i int, t turning) { t.To.Set(t.To.Len()-1-i, t.From.At(i)) }

func turnedUnlike(i int, x vector.View[uint8]) int { return unlike(x.At(x.Len()-1-i), byteAt(i)) }

var (
	byteAts        = skel.NewMap(byteAt)
	signedByteAts  = skel.NewMap(signedByteAt)
	hugeKeys       = skel.NewMap(hugeKey)
	rowBytes       = skel.NewMap(rowByte)
	stretchAts     = skel.NewMap(stretchAt)
	unlikes        = skel.NewZip(unlike)
	sumsOfBytes    = skel.NewZip(plus[uint8])
	mixesOfBytes   = skel.NewZip(mix[uint8])
	prefixesUnlike = skel.NewMapWith(prefixUnlike)
	rowSumsUnlike  = skel.NewMapWith(rowSumUnlike)
	rowBytesUnlike = skel.NewMapWith(rowByteSumUnlike)
	turnsRound     = skel.NewMapVoidWith(turnRound)
	turnedsUnlike  = skel.NewMapWith(turnedUnlike)
	totalBytes     = skel.NewReduce(plus[uint8], 0)
	totalSigned    = skel.NewReduce(plus[int8], 0)
	prefixBytes    = skel.NewScan(plus[uint8], 0)
	following      = skel.NewReduce(follow, reach{})
)

// Huge puts a device through sizes of more than 2^31 and 2^32 elements: with
// memory for them on a GPU that has 24 GiB, and without on all devices that
// compile. A small size comes before, to try the test itself; not on a processor
// that compiles, which has no large one to come and the same kernels in other
// tests. It takes seconds, and is left out with -short.
func Huge(t *testing.T, d *devices.Device) {
	if quick() {
		t.Skip("sizes past 2^32 take seconds")
	}
	devicestest.NoLeaks(t, d)
	info := d.Info()
	for _, size := range hugeSizes {
		h := huge{d, vector.Single(d), size.n, size.rows, size.cols}
		large := size.n > 1<<30
		t.Run("indices/"+size.name, func(t *testing.T) {
			if large && (d.Native() || info.Kind != driver.GPU && size.n < 1<<32) {
				t.Skipf("a minute on %v", info.Name)
			}
			if large && info.Kind != driver.GPU {
				devicestest.Long(t)
			}
			h.indices(t)
		})
		t.Run("memory/"+size.name, func(t *testing.T) {
			if (large || !d.Native()) && (info.Kind != driver.GPU || info.Memory < hugeRoom) {
				t.Skipf("%v is no GPU with %d GiB", d, hugeRoom>>30)
			}
			h.memory(t)
		})
	}
}

type huge struct {
	d          *devices.Device
	on         vector.Distribution
	n          int
	rows, cols int
}

func (h huge) index() vector.IndexVector      { return vector.Indices(h.n, h.on) }
func (h huge) bytes() *vector.Vector[uint8]   { return byteAts.Apply(h.index()) }
func (h huge) sum(from, to int) (total uint8) { return sumBefore(to) - sumBefore(from) }

// indices has no memory for its elements.
func (h huge) indices(t *testing.T) {
	n, before := h.n, h.d.Stats()
	expectValue(t, sumsInt.Apply(h.index()), n*(n/2)) // n is odd
	expectValue(t, following.Apply(stretchAts.Apply(h.index())), reach{From: 0, To: n})
	expectValue(t, totalBytes.Apply(h.bytes()), h.sum(0, n))
	if s := h.d.Stats().Sub(before); s.AllocBytes > 1<<29 || s.Launches != 3 || s.UploadBytes != 0 {
		t.Errorf("%d launches, %d bytes of memory and %d uploaded for indices", s.Launches, s.AllocBytes, s.UploadBytes)
	}
}
