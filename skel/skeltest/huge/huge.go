package huge

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

// Sizes of more than 32 bits. Elements are bytes whose sums are known in closed
// form, so that the device can check each of them.

// hugeSizes lists a small size, and sizes just beyond the range of int32 and uint32.
var hugeSizes = []struct {
	name       string
	n          int
	rows, cols int // a matrix of n elements
}{
	{"1000001", 1_000_001, 101, 9901},
	{"2^31+1", 1<<31 + 1, 3, 715_827_883},
	{"2^32+1", 1<<32 + 1, 641, 6_700_417},
}

// hugeRoom is the memory that a device must have: the largest vectors have 4 GiB,
// and a test holds up to three of them, besides the memory of the skeletons.
const hugeRoom = 24 << 30

// byteAt returns element i, which depends on every bit of i.
func byteAt(i int) uint8 { return uint8(i + i>>7 + i>>15 + i>>23 + i>>30) }

// sumOfShifts returns the sum of i>>s for all i below n.
func sumOfShifts(n, s int) int {
	q := n >> s
	rest, even, odd := n-q<<s, q, q-1
	if q&1 != 0 {
		even, odd = odd, even
	}
	return (even>>1*odd)<<s + rest*q
}

// sumBefore returns the sum of byteAt(i) for all i below n.
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

// hugeKey returns the number of the interval of 2^30 positions that contains i.
func hugeKey(i int) int32 { return int32(i >> 30) }

func rowByte(at matrix.Index) uint8 { return uint8(at.Row>>4 + at.Col) }

// reach is an interval of positions, like span, in 64 bits.
type reach struct {
	From, To int
	Spoilt   bool
}

func stretchAt(i int) reach { return reach{i, i + 1, false} }

func follow(x, y reach) reach {
	return reach{x.From, y.To, x.Spoilt || y.Spoilt || x.To != y.From}
}

// sumsAt is a scan of segments that begin at Cuts. Element i is the sum of the bytes of its
// segment before position i+Past: Past is 1 for an inclusive scan, 0 for an exclusive one.
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

// rowSums holds the sums of rows of Cols elements.
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

// turnRound writes element i to the same place counted from the end.
func turnRound(i int, t turning) { t.To.Set(t.To.Len()-1-i, t.From.At(i)) }

func turnedUnlike(i int, x vector.View[uint8]) int { return unlike(x.At(x.Len()-1-i), byteAt(i)) }

var (
	byteAts        = skel.NewMap(byteAt)
	signedByteAts  = skel.NewMap(signedByteAt)
	hugeKeys       = skel.NewMap(hugeKey)
	rowBytes       = skel.NewMap(rowByte)
	stretchAts     = skel.NewMap(stretchAt)
	unlikes        = skel.NewZip(unlike)
	sumsOfBytes    = skel.NewZip(kit.Plus[uint8])
	mixesOfBytes   = skel.NewZip(kit.Mix[uint8])
	prefixesUnlike = skel.NewMapWith(prefixUnlike)
	rowSumsUnlike  = skel.NewMapWith(rowSumUnlike)
	rowBytesUnlike = skel.NewMapWith(rowByteSumUnlike)
	turnsRound     = skel.NewMapVoidWith(turnRound)
	turnedsUnlike  = skel.NewMapWith(turnedUnlike)
	totalBytes     = skel.NewReduce(kit.Plus[uint8], 0)
	totalSigned    = skel.NewReduce(kit.Plus[int8], 0)
	prefixBytes    = skel.NewScan(kit.Plus[uint8], 0)
	following      = skel.NewReduce(follow, reach{})
)

// Run tests more than 2^31 and 2^32 elements: vectors in memory on a GPU with at least 24 GiB, and
// indices, which need no memory, on all devices that compile. It tests a small size first, to check
// the test itself, but not vectors in memory on an OpenCL CPU device, which runs no large size of these
// and whose kernels other tests cover. It takes seconds, and is skipped with -short.
func Run(t *testing.T, d *devices.Device) {
	if kit.Quick() {
		t.Skip("sizes beyond 2^32 take seconds")
	}
	devicestest.NoLeaks(t, d)
	info := d.Info()
	for _, size := range hugeSizes {
		h := huge{d, vector.Single(d), size.n, size.rows, size.cols}
		large := size.n > 1<<30
		t.Run("indices/"+size.name, func(t *testing.T) {
			if large && (d.Native() || info.Kind != driver.GPU && size.n < 1<<32) {
				t.Skipf("takes a minute on %v", info.Name)
			}
			if large && info.Kind != driver.GPU {
				devicestest.Long(t)
			}
			h.indices(t)
		})
		t.Run("memory/"+size.name, func(t *testing.T) {
			if (large || !d.Native()) && (info.Kind != driver.GPU || info.Memory < hugeRoom) {
				t.Skipf("%v is not a GPU with at least %d GiB", d, hugeRoom>>30)
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

// indices runs skeletons over indices, whose elements are not stored.
func (h huge) indices(t *testing.T) {
	n, before := h.n, h.d.Stats()
	kit.ExpectValue(t, kit.SumsInt.Apply(h.index()), n*(n/2)) // n is odd
	kit.ExpectValue(t, following.Apply(stretchAts.Apply(h.index())), reach{From: 0, To: n})
	kit.ExpectValue(t, totalBytes.Apply(h.bytes()), h.sum(0, n))
	if s := h.d.Stats().Sub(before); s.AllocBytes > 1<<29 || s.Launches != 3 || s.UploadBytes != 0 {
		t.Errorf("%d launches, %d bytes allocated, %d bytes uploaded; want 3, at most %d, 0",
			s.Launches, s.AllocBytes, s.UploadBytes, 1<<29)
	}
}
