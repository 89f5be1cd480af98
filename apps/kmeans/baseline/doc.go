// Package baseline is k-means written directly on OpenCL, with the raw calls of
// devices/opencl/cl, for comparison with package kmeans. Paper is like the program that the
// paper on SkelCL compares with; OnDevice is a better one.
//
// Both have the rules of package kmeans: squared Euclidean distances, the lower of equally
// near clusters, iterations until no label moves, and clusters that keep their centre when
// they lose their points.
package baseline
