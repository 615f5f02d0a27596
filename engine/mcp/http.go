package mcp

import (
	"errors"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// ServeHTTP answers one message. The server can be mounted at any path.
// Source: docs/specification/2026-07-28/basic/transports/streamable-http.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// Also a body that is refused is read, by net/http and without an end in time.
	// Where there are no deadlines, as in a test, it goes without.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(s.bodyTimeout))
	origin, err := s.gate.check(r)
	if origin != "" {
		allowCORS(w.Header(), origin)
	}
	switch {
	case err != nil:
	case origin != "" && r.Method == http.MethodOptions:
		preflight(w, r)
		return
	default:
		err = checkRequest(r)
	}
	x := newExchange()
	defer x.release()
	if err == nil {
		err = s.receive(w, r, x)
	}
	if err != nil {
		x.fail(err)
		x.status = err.status
		s.logRefusal(r.Context(), x, err)
		s.send(w, x, false)
		return
	}
	if x.msg.notification() {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	x.header, x.remote, x.agreed = r.Header, r.RemoteAddr, unstated
	s.answer(r.Context(), x)
	if x.unwanted {
		// A client that only closed its half would read what net/http makes of
		// a handler that writes nothing: an empty 200.
		panic(http.ErrAbortHandler)
	}
	s.send(w, x, x.status == http.StatusOK && takesOnlyStream(r.Header["Accept"]))
}

// checkRequest tells whether the request can be one for this endpoint, before
// its body is read.
func checkRequest(r *http.Request) *rpcError {
	switch {
	case r.Method != http.MethodPost:
		return unservable(http.StatusMethodNotAllowed, "Method not allowed: POST one JSON-RPC message to this URL")
	case !isJSON(r.Header["Content-Type"]):
		return unservable(http.StatusUnsupportedMediaType, "Unsupported media type: send Content-Type: application/json")
	case len(r.Header["Content-Encoding"]) > 0 && r.Header.Get("Content-Encoding") != "identity":
		return unservable(http.StatusUnsupportedMediaType, "Unsupported encoding: send the body as it is, without Content-Encoding")
	case !takesAnswers(r.Header["Accept"]):
		return unservable(http.StatusNotAcceptable, "Not acceptable: send Accept: application/json, text/event-stream")
	}
	return nil
}

func unservable(status int, message string) *rpcError {
	return &rpcError{status: status, code: codeInvalidRequest, message: message}
}

func tooLarge(limit int64) *rpcError {
	return unservable(http.StatusRequestEntityTooLarge, "Too large: a message may have "+strconv.FormatInt(limit, 10)+" bytes")
}

// receive reads the message in the request's body. Once it is there nothing more
// is due from the client, so the deadline for it is lifted.
func (s *Server) receive(w http.ResponseWriter, r *http.Request, x *exchange) *rpcError {
	body, err := s.readBody(w, r)
	if err == nil {
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
		return x.decoder.decode(withoutMark(body), &x.msg)
	}
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return tooLarge(s.maxBody)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return unservable(http.StatusRequestTimeout, "Timeout: the body did not come within "+s.bodyTimeout.String())
	}
	return parseError("Parse error: the body ended early")
}

// readBody reads the body, as far as it may be.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	const small = 64 << 10
	switch {
	case r.ContentLength > s.maxBody:
		return nil, &http.MaxBytesError{Limit: s.maxBody}
	case r.ContentLength < 0 || r.ContentLength > small:
		return io.ReadAll(http.MaxBytesReader(w, r.Body, s.maxBody))
	}
	body := make([]byte, r.ContentLength)
	_, err := io.ReadFull(r.Body, body)
	return body, err
}

// Values of headers that never change, so that each answer can share them.
var (
	typeJSON   = []string{"application/json"}
	typeStream = []string{"text/event-stream"}
	allowPost  = []string{http.MethodPost}
	challenge  = []string{"Bearer"}
	noBuffer   = []string{"no"}
	noCache    = []string{"no-cache"}
)

// send writes the reply, as an event of a stream for those who take nothing else.
func (s *Server) send(w http.ResponseWriter, x *exchange, stream bool) {
	h := w.Header()
	switch x.status {
	case http.StatusMethodNotAllowed:
		h["Allow"] = allowPost
	case http.StatusUnauthorized:
		h["Www-Authenticate"] = challenge
	}
	h["Content-Type"] = typeJSON
	if stream {
		h["Content-Type"] = typeStream
		h["X-Accel-Buffering"] = noBuffer
		h["Cache-Control"] = noCache
		x.asEvent()
	}
	h["Content-Length"] = []string{strconv.Itoa(x.size())}
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(s.writeTimeout))
	w.WriteHeader(x.status)
	for _, part := range [...][]byte{x.head, x.body, x.tail} {
		if len(part) == 0 {
			continue
		}
		if _, err := w.Write(part); err != nil {
			return // the client is gone
		}
	}
}

// asEvent frames the reply as a server-sent event. A reply has no line ends.
func (x *exchange) asEvent() {
	x.head = append([]byte("event: message\ndata: "), x.head...)
	x.tail = append(x.tail, "\n\n"...)
}

// isJSON tells whether a request's content type is JSON's. It has to be there:
// browsers let any page send the types that forms have, and none at all.
func isJSON(values []string) bool {
	if len(values) != 1 {
		return false
	}
	media, _, _ := strings.Cut(values[0], ";")
	return strings.EqualFold(strings.TrimSpace(media), typeJSON[0])
}
