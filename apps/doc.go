// Package apps lists the applications. The commands of the skelgo program, the
// tables of lines of code and tests read the list, so adding an application is
// a folder and one line here.
package apps
