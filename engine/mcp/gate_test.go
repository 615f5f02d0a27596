package mcp

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestGate(t *testing.T) {
	tests := []struct {
		name         string
		opts         Options
		origin, host string
		ok           bool
	}{
		{"no page, any name", Options{}, "", "anything.example:80", true},
		{"a page, though not on loopback", Options{}, "http://evil.example", "mcp.example", false},
		{"a loopback page, not on loopback", Options{}, "http://localhost:3000", "mcp.example", false},
		{"a page of the same name", Options{}, "http://mcp.example", "mcp.example", false},
		{"a listed page", Options{AllowedOrigins: []string{"https://Console.example:443/"}}, "https://console.example", "mcp.example", true},
		{"another port than the listed", Options{AllowedOrigins: []string{"https://console.example"}}, "https://console.example:8443", "mcp.example", false},
		{"another scheme than the listed", Options{AllowedOrigins: []string{"https://console.example"}}, "http://console.example", "mcp.example", false},
		{"a listed name", Options{AllowedHosts: []string{"mcp.example"}}, "", "MCP.example:8080", true},
		{"another name than the listed", Options{AllowedHosts: []string{"mcp.example"}}, "", "127.0.0.1", false},
		{"a listed port", Options{AllowedHosts: []string{"mcp.example:8080"}}, "", "mcp.example:8080", true},
		{"another port than that", Options{AllowedHosts: []string{"mcp.example:8080"}}, "", "mcp.example:80", false},
		{"loopback", Options{Loopback: true}, "", "127.1.2.3:80", true},
		{"loopback by its newer address", Options{Loopback: true}, "", "[::1]", true},
		{"loopback, mapped", Options{Loopback: true}, "", "[::ffff:127.0.0.1]:80", true},
		{"loopback by name", Options{Loopback: true}, "", "LOCALHOST", true},
		{"loopback reached by another name", Options{Loopback: true}, "", "rebound.example", false},
		{"loopback reached by a listed name", Options{Loopback: true, AllowedHosts: []string{"mcp.example"}}, "", "mcp.example", true},
		{"loopback page on another port", Options{Loopback: true}, "http://127.0.0.1:5173", "127.0.0.1:80", true},
		{"a page from a file", Options{Loopback: true}, "file://localhost", "127.0.0.1:80", false},
		{"no name", Options{Loopback: true}, "", "", false},
	}
	for _, tt := range tests {
		g := newGate(&tt.opts)
		r := &http.Request{Host: tt.host, Header: http.Header{}}
		if tt.origin != "" {
			r.Header.Set("Origin", tt.origin)
		}
		if _, err := g.check(r); (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// TestRefusedStrangersAreToldWhatIsAccepted holds that the way in which a 403
// shows is one that is open.
func TestRefusedStrangersAreToldWhatIsAccepted(t *testing.T) {
	const set = "set to allow"
	for _, tt := range []struct {
		name         string
		opts         Options
		origin, host string
		says         []string
		not          string
	}{
		{"a page, loopback", Options{Loopback: true}, "http://evil.example", "localhost", []string{`Origin "http://evil.example"`, "http://localhost:3000", "send no Origin"}, set},
		{"a page, loopback and a list", Options{Loopback: true, AllowedOrigins: []string{"https://console.example"}}, "http://evil.example", "localhost", []string{"http://localhost:3000", set, "send no Origin"}, "console.example"},
		{"a page, a list", Options{AllowedOrigins: []string{"https://console.example"}}, "http://evil.example", "mcp.example", []string{set, "send no Origin"}, "localhost"},
		{"a page, nothing", Options{}, "http://evil.example", "mcp.example", []string{"no pages", "send no Origin"}, "localhost"},
		{"a name, loopback", Options{Loopback: true}, "", "evil.example", []string{`Host "evil.example"`, "127.0.0.1 or localhost"}, set},
		{"a name, loopback and a list", Options{Loopback: true, AllowedHosts: []string{"mcp.example"}}, "", "evil.example", []string{"127.0.0.1, localhost", set}, "mcp.example"},
		{"a name, a list", Options{AllowedHosts: []string{"mcp.example"}}, "", "evil.example", []string{`Host "evil.example"`, set}, "localhost"},
	} {
		g := newGate(&tt.opts)
		r := &http.Request{Host: tt.host, Header: http.Header{}}
		if tt.origin != "" {
			r.Header.Set("Origin", tt.origin)
		}
		_, err := g.check(r)
		if err == nil {
			t.Errorf("%s: let in", tt.name)
			continue
		}
		for _, part := range tt.says {
			if !strings.Contains(err.message, part) {
				t.Errorf("%s: want %q in %q", tt.name, part, err.message)
			}
		}
		if strings.Contains(err.message, tt.not) {
			t.Errorf("%s: there is %q in %q", tt.name, tt.not, err.message)
		}
	}
}

// TestStrangers holds that what comes from a page of somebody else gets as far
// as the gate, wherever the server listens and whatever is asked for.
func TestStrangers(t *testing.T) {
	for _, loopback := range []bool{true, false} {
		f := newFake()
		s := serving(f, Options{Loopback: loopback})
		for _, origin := range []string{"http://evil.example", "https://evil.example:443", "null", "http://localhost.evil.example", "http://127.0.0.1.evil.example", ""} {
			for _, verb := range []string{http.MethodPost, http.MethodGet, http.MethodOptions, http.MethodDelete} {
				r := newPost(callBody(1, "echo", `{"text":"x"}`))
				r.Method = verb
				r.Header["Origin"] = []string{origin}
				w := httptest.NewRecorder()
				s.ServeHTTP(w, r)
				if w.Code != http.StatusForbidden || w.Header().Get("Access-Control-Allow-Origin") != "" {
					t.Errorf("loopback %t, %s from %q: HTTP %d, %v", loopback, verb, origin, w.Code, w.Header())
				}
			}
		}
		if f.last.Load() != nil {
			t.Errorf("loopback %t: the service was asked", loopback)
		}
	}
}
