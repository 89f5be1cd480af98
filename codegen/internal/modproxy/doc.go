// Package modproxy writes module proxies to folders, so that tests can use
// modules from a module cache without a network.
package modproxy
