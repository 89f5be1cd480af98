package behave

type pair struct {
	x int32
	y float32
}

type nested struct {
	pair
	name [3]pair
	flag bool
}

func (p pair) sum() float32        { return float32(p.x) + p.y }
func (p *pair) add(d int32)        { p.x += d; p.y *= 2 }
func (p *pair) both() int32        { p.add(1); p.add(2); return p.x }
func swap(a, b int) (int, int)     { return b, a }
func scale(p pair, k float32) pair { p.y *= k; return p }
func fill(a *[4]int, v int) {
	for i := range a {
		a[i] = v + i
	}
}
func inc(p *int) int { *p++; return *p }
func named(n int) (lo, hi int) {
	lo = n - 1
	hi = n + 1
	if n < 0 {
		return hi, lo
	}
	return
}

// in: 3 4
func swaps(a, b int) int {
	a, b = b, a
	x := [3]int{1, 2, 0}
	i := 0
	i, x[i] = 2, 9
	x[0], x[1], x[2] = x[1], x[2], x[0]
	a, b = swap(a, b+1)
	a, b = a+b, a-b
	return a*1000 + b*100 + x[0]*10000 + x[1]*100000 + x[2] + i
}

// in: 5
func structCopies(n int32) float32 {
	p := pair{n, 1.5}
	q := p
	q.x++
	r := scale(p, 3)
	a := [2]pair{p, q}
	b := a
	b[0].x = 100
	s := nested{pair: p, name: [3]pair{2: q}, flag: true}
	t := s
	t.name[2].y = 7
	t.x = 50
	return p.sum() + 10*q.sum() + 100*r.sum() + 1000*a[0].sum() + s.name[2].y + t.sum() + s.sum()
}

// in: 3
func pointers(n int32) float32 {
	p := pair{n, 1}
	p.add(10)
	k := p.both()
	s := nested{pair: p}
	s.add(5)
	(&s.name[1]).add(3)
	q := &s.name[2]
	q.x = 8
	q.add(1)
	arr := [4]int{}
	fill(&arr, int(k))
	return p.sum() + s.sum() + s.name[1].sum() + s.name[2].sum() + float32(arr[3])
}

// in: 1
// in: 2
// in: 3
// in: 4
// in: 9
func switches(n int) int {
	r := 0
	switch n {
	case 1:
		r += 1
		fallthrough
	case 2:
		r += 10
	case 3, 4:
		if n == 4 {
			break
		}
		r += 100
	default:
		r = -1
	}
	switch {
	case n > 3 && n < 9:
		r += 1000
	case n == 2:
		r += 2000
		fallthrough
	case n == 77:
		r += 4000
	}
	switch x := float64(n); {
	case x > 2:
		if n == 9 {
			break
		}
		r += 100000
	case x > 1:
		r += 200000
	}
	return r
}

// in: 2
// in: 7
func switchFloat(n int) int {
	switch x := float32(n) / 2; x {
	case 1, 3.5:
		return 1
	case float32(n) - 1:
		return 2
	}
	return 3
}

// in: 10
func labels(n int) int {
	r := 0
outer:
	for i := 0; i < n; i++ {
		for j := range n {
			switch {
			case j == 3:
				continue outer
			case i == 7:
				break outer
			case j == 1:
				continue
			}
			r += i*10 + j
		}
		r += 1000000
	}
loop:
	for i := 0; ; i++ {
		switch i {
		case 3:
			continue loop
		case 5:
			break loop
		}
		r += i
	}
	return r
}

// in: 4
func ranges(n int) int {
	r := 0
	for i := range n {
		i *= 2
		r += i
	}
	for range 3 {
		r += 100
	}
	a := [4]int{1, 2, 3, 4}
	for i, v := range a {
		a[3] = 100
		if i < 3 {
			a[i+1] = 7
		}
		r += v * 1000
	}
	for i := range a {
		r += a[i]
	}
	for _, v := range [2]int{5, 6} {
		r += v
	}
	var k uint8
	for k = range 200 {
	}
	for i, j := 0, n; i < j; i, j = i+1, j-1 {
		r += j
	}
	for i := int8(125); i > 0; i++ {
		r += int(i)
	}
	m := n
	for i := range m {
		m = i
		n++
	}
	return r + int(k) + n
}

// in: 5
func order(n int) int {
	x := n
	a := inc(&x)*100 + inc(&x)*10 + inc(&x)
	b := 0
	if inc(&x) > 100 && inc(&x) > 0 {
		b = 1
	}
	c := x
	arr := [8]int{}
	k := 0
	arr[inc(&k)], arr[inc(&k)] = inc(&x), inc(&x)
	arr[inc(&k)] += inc(&k)
	for inc(&k) < 7 && inc(&x) > 0 {
		arr[k]++
	}
	return a + b + c*1000 + arr[1] + arr[2]*3 + arr[3]*7 + arr[4] + arr[5] + x*13 + k
}

// in: 3 true
// in: -3 false
func bools(n int, b bool) bool {
	c := n > 0 == b
	d := !c != (b || n == 3)
	var e bool
	e = d
	return c && d || e && !b
}

// in: 2
func equality(n int32) int {
	a, b := nested{flag: true}, nested{flag: true}
	b.name[1].x = n
	r := 0
	if a == b {
		r |= 1
	}
	b.name[1].x = 0
	if a == b {
		r |= 2
	}
	if (pair{1, 2}) != (pair{n, 2}) {
		r |= 4
	}
	if [2]int32{1, n} == [...]int32{1, 2} {
		r |= 8
	}
	return r
}

// in: 4
func shadow(x int) int {
	y := x
	{
		x := x + 1
		y += x
		if x := x * 2; x > 3 {
			y += x
		} else if z := x; z > 1 {
			y -= z
		}
	}
	for x := x; x < 6; x++ {
		x := x * x
		y += x
	}
	return y + x
}

// in: 6
// in: -6
func namedResults(n int) int {
	lo, hi := named(n)
	_, h := named(hi)
	return lo*100 + hi*10 + h
}

// in: 6
func literals(n int) int {
	double := func(x int) int { return x * 2 }
	return double(n) + func(a, b int) int { return double(a) - b }(n, 1)
}

type number interface{ ~int32 | ~float32 | ~uint8 }

type celsius float32

type box[T number] struct{ v, w T }

func (b box[T]) total() T       { return b.v + b.w*2 }
func (b *box[T]) bump(by T)     { b.v += by }
func (c celsius) half() celsius { return c / 2 }
func addAll[T number](a [3]T) (s T) {
	for _, v := range a {
		s += v
	}
	return s
}
func halves[T interface{ half() T }](x T) T { return x.half().half() }

// in: 3 1.5
func generics(n int32, x float32) float32 {
	b := box[uint8]{250, uint8(n)}
	b.bump(9)
	c := box[float32]{w: x}
	return float32(addAll([3]int32{n, 2, 3})) + addAll([3]float32{x, x, 0.1}) + float32(b.total()) + c.total() + float32(halves(celsius(x)))
}

// in: 1
// in: -1
func panics(n int) int {
	if n < -1000 {
		panic("impossible")
	}
	return n
}

// in: 7
func collatz(n int) int {
	steps := 0
	for n != 1 {
		if n%2 == 0 {
			n /= 2
		} else {
			n = 3*n + 1
		}
		steps++
	}
	return steps
}

// in: 9
func keywords(float int) int {
	double, kernel, int4, half, auto := 1, 2, float, 4, 5
	größe := double + kernel
	type struct_ struct{ int, restrict int }
	s := struct_{restrict: größe}
	return s.restrict*int4 + half + auto
}

// in: 300
func floatLoop(n int) float32 {
	var s float32
	for x := float32(0); x < float32(n); x += 0.5 {
		s += x * x
		s *= 0.99
		s++
	}
	return s
}

// in: 1
func opAssignOnce(n int) int {
	a := [4]int{10, 20, 30, 40}
	i := 0
	a[inc(&i)] += n
	a[i] *= inc(&n) * inc(&n)
	a[i+1] <<= uint(n)
	return a[0] + a[1]*3 + a[2]*7 + a[3]*11 + n
}
