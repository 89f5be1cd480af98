package kmeans

// Empty says what becomes of a cluster that lost all its points.
type Empty string

// The policies for empty clusters.
const (
	Keep     Empty = "keep"     // it keeps its centre, and may find points again
	Farthest Empty = "farthest" // it takes the point farthest from its centre, as in scikit-learn
	Drop     Empty = "drop"     // it is left out; the result has fewer clusters
)
