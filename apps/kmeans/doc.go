// Package kmeans clusters points by Lloyd's algorithm [Lloyd 1982], written with
// skeletons alone: it runs on every device, and on each gives the same labels and
// the bit-identical inertia.
//
// Start with [Cluster] in kmeans.go, which is the algorithm from top to bottom. A
// Map assigns points to their nearest centres as a part of one reduction by key,
// which computes the sum and the weight of each cluster and keeps the labels, so
// that the points are read once. Then the labels that moved are counted, and a Map
// over the clusters moves the centres. These are four launches an iteration (the
// reduction is two), after which the host receives a few bytes and decides whether
// to stop. Points, labels and centres stay on the device. seed.go chooses the first
// centres, empty.go handles clusters that lose their points, plain.go is the
// algorithm in its plain form; cmd.go and job.go are the command.
//
// The rules: distances are squared Euclidean distances; of equally near centres the
// lower is taken; a point with weight w counts as w points in the choice of the
// first centres, in the means and in the inertia; iterations end when no label
// moves. Distances are computed in the type of the points and added up with fused
// multiply-adds, and all sums in float64.
//
// [Lloyd 1982]: https://doi.org/10.1109/TIT.1982.1056489
package kmeans
