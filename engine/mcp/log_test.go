package mcp

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
)

func TestLog(t *testing.T) {
	var out bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey || a.Key == "duration" {
			return slog.Attr{}
		}
		return a
	}}))
	s := serving(newFake(), Options{Logger: logger})
	for _, tt := range []struct{ body, want string }{
		{callBody(1, "echo", `{"text":"hunter2"}`), "level=INFO msg=call tool=echo era=modern error=false bytes=202\n"},
		{callBody(1, "fails", `{"text":"hunter2"}`), "level=INFO msg=call tool=fails era=modern error=true bytes=227\n"},
		{callBody(1, "fault", `{"text":"hunter2"}`), "level=WARN msg=call tool=fault era=modern error=true bytes=178 class=EvalError reference=0000abcd steps=12 detail=\"key secret not in dict\\nfault.star:4:12\"\n"},
		{callBody(1, "nope", `{"text":"hunter2"}`), "level=INFO msg=call tool=nope era=modern error=true bytes=83\n"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hunter2"}}}`, "level=INFO msg=call tool=echo era=legacy error=false bytes=80\n"},
		{`{"jsonrpc":"2.0","id":1,"method":"no/such","params":{"x":"hunter2"}}`, "level=INFO msg=refused method=no/such code=-32601 status=200 reason=\"Method not found: no/such\"\n"},
		{`{"x":"hunter2",}`, "level=INFO msg=refused method=\"\" code=-32700 status=400 reason=\"Parse error: invalid character ',' at start of value after byte 14\"\n"},
	} {
		out.Reset()
		post(t, s, tt.body)
		if got := out.String(); got != tt.want {
			t.Errorf("%.60s\n got %s\nwant %s", tt.body, got, tt.want)
		}
	}

	out.Reset()
	post(t, serving(newFake(), Options{Logger: logger}), callBody(1, "panics", "{}"))
	if got := out.String(); !strings.Contains(got, "class=HostPanic reference=") || !strings.Contains(got, "detail=\"panic: secret") || !strings.Contains(got, "fake_test.go") {
		t.Error(got)
	}
}
