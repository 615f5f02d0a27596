// Package host performs effects on this machine, as far as a tool needs and
// the operator grants. It is the only place that touches the machine.
package host
