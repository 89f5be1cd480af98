// Package devicestest runs tests of the packages above drivers on every device
// of the machine, and checks that they free what they allocate.
package devicestest
