// Package modproxy writes module proxies into folders, so that tests can have
// modules in a module cache without a network.
package modproxy
