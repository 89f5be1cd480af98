// Package windll opens libraries on Windows without searching the current folder or those of PATH. A name is
// looked for in the system's folder only, and a path must be absolute.
package windll
