// Package devicestest runs the tests of the layers above on every device that
// there is, and looks whether they free what they allocate.
package devicestest
