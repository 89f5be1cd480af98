// Package staletest tests programs whose functions were changed after skelgen
// ran: in a separate module, like a user's, with the real packages and on every
// device of the machine.
package staletest
