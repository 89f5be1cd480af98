// Package scale finds diagnostic scales: weights a and boundaries g for which the score F = Σ aᵢxᵢ of an
// object tells which of K ordered groups it is of, with as few errors as possible.
//
// It does what A. N. Poluyanov describes in "Calculation of a diagnostic scale on graphics processors"
// (Omsk branch of the Sobolev institute of mathematics, in Russian), in another way. The paper tries all
// sets of boundaries for each vector of weights, C(M-1, K-1) of them for M objects, which is 96% of its
// time. Here the best boundaries follow from one pass over the objects in the order of F, because the
// least number of errors of the objects so far, with the last one in group k, follows from the same
// numbers for the object before it: K numbers an object. Many candidates are evaluated at once: their
// values of F are a matrix with a row for each, whose rows are sorted and then passed over.
//
// A boundary stands only between values that differ. Programs that put boundaries between objects
// find boundaries without errors where there are none.
//
// Start with Find in scale.go, which names the steps. evaluate.go has the functions that run on
// devices, evaluate_long.go those for data of many objects, evaluate_small.go and evaluate_counts.go
// those that need no sorted rows, and crossings.go those of the exact search along one weight.
// evaluator.go chooses among them. The methods of searching are search_*.go; search_rare.go has the bounds
// of the exact search if one of two groups is small. validate.go has
// cross-validation, bootstrap.go what its name says, and estimates.go the measures that both estimate.
// Everything else is data, options and reports.
package scale
