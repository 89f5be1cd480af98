// Package kmeans clusters points by Lloyd's algorithm [Lloyd 1982], written
// with skeletons alone: it runs on every device, and on each gives the same
// labels, and the same inertia to the last bit.
//
// [Cluster] is where to start. The algorithm itself is kmeans.go: points are
// assigned to their nearest centres (a Map) as a part of one reduction by key,
// which gives every cluster's sum and weight and keeps the labels, so that the
// points are read once; the labels that moved are counted, and a Map over the
// clusters moves their centres. These four launches (the reduction is two) are
// an iteration, after which the host receives a few bytes a cluster, by which
// it decides whether to stop. Points, labels and centres stay on the device.
// seed.go chooses the first centres, empty.go deals with clusters that lose
// their points; cmd.go is the command line.
//
// The rules: squared Euclidean distance; of equally near centres the lower; a
// point with weight w counts as w points everywhere, in the choice of the
// first centres, in the means and in the inertia; the end comes when no label
// moves. Distances are computed in the type of the points and added up with
// fused multiply-adds, sums of all kinds in float64.
//
// [Lloyd 1982]: https://doi.org/10.1109/TIT.1982.1056489
package kmeans
