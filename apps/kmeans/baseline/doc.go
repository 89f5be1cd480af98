// Package baseline is k-means written directly on OpenCL, with the raw calls of
// devices/opencl/cl, to compare package kmeans with: Paper is the program that
// the paper on SkelCL compares with, OnDevice is one done well.
//
// Both keep the rules of package kmeans: squared Euclidean distances, ties to
// the lower cluster, the end when no label moves, and a cluster that lost its
// points keeps its centre.
package baseline
