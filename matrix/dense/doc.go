// Package dense converts between matrices on devices and the dense matrices of gonum.
// It is a package of its own so that only programs that use it link gonum.
package dense
