package mcp

import (
	"cmp"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/starmcp/starmcp/engine"
)

// What an [Options] says where it is silent.
const (
	DefaultListTTL  = 5 * time.Minute
	DefaultMaxBody  = 1 << 20
	DefaultMaxLine  = 4 << 20
	DefaultMaxCalls = 64
)

// Options say how a [Server] speaks. The zero value is fit for use.
type Options struct {
	// Logger gets a line for each call and for each request that is refused,
	// never with arguments in it; what a fault tells of several lines is its
	// attribute "detail". Nil: nothing is logged.
	Logger *slog.Logger

	// AllowedOrigins are the origins, such as https://console.example.com,
	// whose pages may use the server. All others get 403.
	AllowedOrigins []string

	// AllowedHosts are the names, with or without a port, that the server may
	// be addressed by. Empty: any name, but see Loopback.
	AllowedHosts []string

	// Loopback says that the listener is bound to a loopback address. Then
	// loopback origins are allowed too, and no Host but a loopback one is,
	// unless AllowedHosts has it: a web page cannot reach the server by a name
	// that resolves to 127.0.0.1.
	Loopback bool

	// ListTTL is how long clients may keep a list of tools, rounded down to
	// milliseconds. 0: DefaultListTTL. Negative: they should not keep it.
	ListTTL time.Duration

	// Name and Version are what the server says of itself where the tools'
	// identity has none. Empty: "starmcp" and "0".
	Name, Version string

	MaxBody int64 // bytes of an HTTP request's body; 0: DefaultMaxBody
	MaxLine int   // bytes of a line on stdio; 0: DefaultMaxLine

	// MaxCalls is how many calls run at once, over HTTP and stdio together. Some
	// more wait up to a second; beyond that a call gets a result with isError
	// that tells the limit. Nothing but calls ever waits. 0: DefaultMaxCalls.
	MaxCalls int
}

// A Server answers MCP clients. It is an [net/http.Handler], and serves stdio
// with [Server.ServeStdio]; one Server may do both at once.
type Server struct {
	current func() engine.Service
	log     *slog.Logger
	gate    gate
	room    *room
	name    string
	version string
	listTTL time.Duration
	maxBody int64
	maxLine int

	latest atomic.Pointer[edition]

	// Against HTTP clients that are slow on purpose. The time that a call takes
	// is in none of them.
	bodyTimeout, writeTimeout time.Duration

	// How long calls on stdio may go on once the input, or the server, ends, and
	// then once they are cancelled.
	eofGrace, stopGrace, cancelGrace time.Duration
}

// New returns a server that asks current, once for each request, for the
// service that answers it.
func New(current func() engine.Service, opts Options) *Server {
	s := &Server{
		current: current,
		log:     opts.Logger,
		gate:    newGate(&opts),
		room:    newRoom(cmp.Or(opts.MaxCalls, DefaultMaxCalls)),
		name:    cmp.Or(opts.Name, "starmcp"),
		version: cmp.Or(opts.Version, "0"),
		listTTL: cmp.Or(opts.ListTTL, DefaultListTTL),
		maxBody: cmp.Or(opts.MaxBody, DefaultMaxBody),
		maxLine: cmp.Or(opts.MaxLine, DefaultMaxLine),

		bodyTimeout:  30 * time.Second,
		writeTimeout: 30 * time.Second,
		eofGrace:     1500 * time.Millisecond,
		stopGrace:    Grace,
		cancelGrace:  cancelGrace,
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	return s
}
