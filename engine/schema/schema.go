// Package schema compiles JSON Schemas and applies them to what agents send.
//
// It knows JSON only: documents come and go as bytes and jsontree nodes, so
// that every entry (HTTP, stdio, the command line) shares one algorithm.
package schema
