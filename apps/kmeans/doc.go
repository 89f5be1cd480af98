// Package kmeans clusters points by Lloyd's algorithm [Lloyd 1982]. It is written with
// skeletons alone, so it runs on every device, with the same labels and bit-identical
// inertia.
//
// Start with [Cluster] in kmeans.go. A Map assigns points to their nearest centres inside
// a reduction by key, which computes the sum and the weight of each cluster and keeps the
// labels, so that the points are read once. Then a reduction counts the labels that moved,
// and a Map over the clusters moves the centres. An iteration has four launches (two for
// the reduction by key), after which the host receives a few bytes and decides whether to
// stop. Points, labels and centres stay on the device. seed.go chooses the first centres,
// empty.go handles clusters that lose their points, and plain.go is the algorithm in its
// plain form. cmd.go and job.go are the command.
//
// Distances are squared Euclidean distances. Of equally near centres, the one with the
// lower index is taken. A point with weight w counts as w points in the choice of the first
// centres, in the means and in the inertia. Iterations end when no label moves. Distances
// are computed in the type of the points, with fused multiply-adds, and sums in float64. The
// sums of clusters are integers if the points are float32 without weights, and nearly all of
// their coordinates are multiples of a small unit of their column.
//
// [Lloyd 1982]: https://doi.org/10.1109/TIT.1982.1056489
package kmeans
