package vector

// Padding says what is beside the ends of a container, for stencils.
type Padding int

// The paddings.
const (
	Nearest Padding = iota // the nearest element
	Neutral                // an element that the skeleton is given
	Wrap                   // the other end: the container is a ring, a matrix a torus
)

func (p Padding) String() string { return [...]string{"nearest", "neutral", "wrap"}[p] }
