package mcp

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// A gate decides who may knock: which pages may use the server, and by which
// names it may be addressed. Both keep web pages, that a person happens to look
// at, from using a server on the same machine or network.
// Source: docs/specification/2026-07-28/basic/transports/streamable-http,
// "Security & Endpoint".
type gate struct {
	origins  []string // normalized
	hosts    []string // normalized
	loopback bool
}

func newGate(opts *Options) gate {
	g := gate{loopback: opts.Loopback}
	for _, o := range opts.AllowedOrigins {
		g.origins = append(g.origins, normalOrigin(o))
	}
	for _, h := range opts.AllowedHosts {
		g.hosts = append(g.hosts, normalHost(h))
	}
	return g
}

// check returns the origin of the page that asks, empty where none does or it
// is not allowed, and what is wrong.
func (g *gate) check(r *http.Request) (origin string, err *rpcError) {
	switch origins := r.Header["Origin"]; {
	case len(origins) > 1:
		return "", forbidden("Origin is there " + times(len(origins)))
	case len(origins) == 1:
		if origin = origins[0]; !g.allowsOrigin(origin) {
			return "", forbidden("Origin " + quote(origin) + " is not allowed here: " + g.acceptedOrigins())
		}
	}
	if !g.allowsHost(r.Host) {
		return origin, forbidden("Host " + quote(r.Host) + " is not allowed here: " + g.acceptedHosts())
	}
	return origin, nil
}

func forbidden(message string) *rpcError {
	return &rpcError{status: http.StatusForbidden, code: codeInvalidRequest, message: "Forbidden: " + message}
}

func (g *gate) allowsOrigin(origin string) bool {
	if slices.Contains(g.origins, normalOrigin(origin)) {
		return true
	}
	u, err := url.Parse(origin)
	return g.loopback && err == nil && (u.Scheme == "http" || u.Scheme == "https") && isLoopback(u.Hostname())
}

func (g *gate) allowsHost(host string) bool {
	if !g.loopback && len(g.hosts) == 0 {
		return true
	}
	host = normalHost(host)
	name := hostName(host)
	return g.loopback && isLoopback(name) || slices.Contains(g.hosts, host) || slices.Contains(g.hosts, name)
}

// acceptedOrigins says what would be let in. Strangers read it as well, so it
// names nothing that is on a list.
func (g *gate) acceptedOrigins() string {
	const noPage = "clients that send no Origin"
	switch {
	case g.loopback && len(g.origins) > 0:
		return "this server takes loopback origins, such as http://localhost:3000, those that it was set to allow, and " + noPage
	case g.loopback:
		return "this server takes loopback origins, such as http://localhost:3000, and " + noPage
	case len(g.origins) > 0:
		return "this server takes the origins that it was set to allow, and " + noPage
	}
	return "this server takes no pages, only " + noPage
}

// acceptedHosts says by what names the server may be addressed, where not by
// any.
func (g *gate) acceptedHosts() string {
	switch {
	case g.loopback && len(g.hosts) > 0:
		return "address this server by 127.0.0.1, localhost, or a name that it was set to allow"
	case g.loopback:
		return "this server listens on loopback: address it by 127.0.0.1 or localhost"
	}
	return "address this server by a name that it was set to allow"
}

// normalOrigin writes an origin the way browsers do.
func normalOrigin(s string) string {
	s = strings.ToLower(strings.TrimRight(s, "/"))
	if https, ok := strings.CutPrefix(s, "https://"); ok {
		return "https://" + strings.TrimSuffix(https, ":443")
	}
	if plain, ok := strings.CutPrefix(s, "http://"); ok {
		return "http://" + strings.TrimSuffix(plain, ":80")
	}
	return s
}

func normalHost(s string) string { return strings.ToLower(s) }

// hostName returns a host without its port.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.TrimSuffix(strings.Trim(host, "[]"), ".")
}

// isLoopback tells whether a host's name can only mean this machine.
func isLoopback(name string) bool {
	addr, err := netip.ParseAddr(name)
	return name == "localhost" || err == nil && addr.Unmap().IsLoopback()
}

// allowCORS lets the page of an allowed origin read the answer.
func allowCORS(h http.Header, origin string) {
	h["Access-Control-Allow-Origin"] = []string{origin}
	h.Add("Vary", "Origin")
}

// preflight answers a browser that asks, before a page's request, whether it may
// be sent.
func preflight(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Access-Control-Allow-Methods", http.MethodPost)
	h.Set("Access-Control-Max-Age", "7200")
	var allowed []string
	for _, line := range r.Header.Values("Access-Control-Request-Headers") {
		for name := range strings.SplitSeq(line, ",") {
			if name = strings.ToLower(strings.TrimSpace(name)); pagesMaySend(name) {
				allowed = append(allowed, name)
			}
		}
	}
	if allowed != nil {
		h.Set("Access-Control-Allow-Headers", strings.Join(allowed, ", "))
	}
	w.WriteHeader(http.StatusNoContent)
}

func pagesMaySend(header string) bool {
	switch header {
	case "content-type", "accept", "authorization":
		return true
	}
	return strings.HasPrefix(header, "mcp-")
}
