// Package staletest tests what a program does whose functions were changed
// after skelgen ran: a module of its own, as a user has it, with the real
// packages and every device of the machine.
package staletest
