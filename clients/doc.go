// Package clients holds no code: its tests drive the starmcp binary with MCP
// clients that others wrote. It is a module of its own, so that those clients
// are no dependencies of starmcp.
package clients
