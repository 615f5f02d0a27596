//go:build !windows

package host_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/starmcp/starmcp/engine"
	"github.com/starmcp/starmcp/engine/host"
)

// granting returns a policy with grants, all of which must be well formed.
func granting(t testing.TB, grants engine.Needs) engine.Policy {
	t.Helper()
	policy, errs := host.New(host.Options{}).With(grants, "server.star")
	if len(errs) > 0 {
		t.Fatalf("grants: %+v", errs)
	}
	return policy
}

func TestReview(t *testing.T) {
	for name, c := range map[string]struct {
		grants, needs engine.Needs
		want          []engine.NeedError
	}{
		"nothing": {},
		"granted": {
			grants: engine.Needs{"read": {"/var/log", "/proc/*/stat"}},
			needs:  engine.Needs{"read": {"/var/log/nginx/*.log", "/proc/1/stat"}},
		},
		"stat by a grant of read": {
			grants: engine.Needs{"read": {"/data"}},
			needs:  engine.Needs{"stat": {"/data/x"}},
		},
		"read by a grant of stat": {
			grants: engine.Needs{"stat": {"/data"}},
			needs:  engine.Needs{"read": {"/data/x"}},
			want: []engine.NeedError{{
				Capability: "read", Ungranted: true,
				Message: `needs read of "/data/x", which is not granted`,
				Hint:    `allow it in server.star with grants = {"read": ["/data/x"]}, or on the command line with --allow-read=/data/x`,
			}},
		},
		"ungranted": {
			grants: engine.Needs{"read": {"/data"}},
			needs:  engine.Needs{"read": {"/data/a", "/data2"}, "stat": {"/"}},
			want: []engine.NeedError{
				{
					Capability: "read", Index: 1, Ungranted: true,
					Message: `needs read of "/data2", which is not granted`,
					Hint:    `allow it in server.star with grants = {"read": ["/data2"]}, or on the command line with --allow-read=/data2`,
				},
				{
					Capability: "stat", Ungranted: true,
					Message: `needs stat of "/", which is not granted`,
					Hint:    `allow it in server.star with grants = {"stat": ["/"]}, or on the command line with --allow-stat=/`,
				},
			},
		},
		"what a shell takes apart": {
			needs: engine.Needs{"read": {"/proc/*/stat", "/a,b"}},
			want: []engine.NeedError{
				{
					Capability: "read", Ungranted: true,
					Message: `needs read of "/proc/*/stat", which is not granted`,
					Hint:    `allow it in server.star with grants = {"read": ["/proc/*/stat"]}, or on the command line with '--allow-read=/proc/*/stat'`,
				},
				{
					Capability: "read", Index: 1, Ungranted: true,
					Message: `needs read of "/a,b", which is not granted`,
					Hint:    `allow it in server.star with grants = {"read": ["/a,b"]}`,
				},
			},
		},
		"unknown capabilities": {
			needs: engine.Needs{"reed": {"/"}, "telnet": {"x"}},
			want: []engine.NeedError{
				{Capability: "reed", Index: -1, Message: `unknown capability "reed"`, Hint: `did you mean "read"?`},
				{Capability: "telnet", Index: -1, Message: `unknown capability "telnet"`, Hint: "there are: read, stat"},
			},
		},
		"malformed": {
			grants: engine.Needs{"read": {"/"}},
			needs:  engine.Needs{"read": {"/ok", "logs", "", "/a/../b", "/proc/self/status"}, "stat": {"/x/**"}},
			want: []engine.NeedError{
				{Capability: "read", Index: 1, Message: `read pattern "logs" is not an absolute path`, Hint: "write it in full, from the root on: /var/log"},
				{Capability: "read", Index: 2, Message: `read pattern "" is empty`, Hint: "write a full path, such as /var/log"},
				{Capability: "read", Index: 3, Message: `read pattern "/a/../b" has a ".." segment`, Hint: "write the path that is meant, without it"},
				{
					Capability: "read", Index: 4,
					Message: `read pattern "/proc/self/status" is the server itself, not the process that asks`,
					Hint:    "name a process, as in /proc/1/status, or the machine's own file, such as /proc/mounts or /proc/net/dev",
				},
				{Capability: "stat", Message: `stat pattern "/x/**" has "**"`, Hint: `"*" stands within one segment, and a folder allows all below it: write /x`},
			},
		},
		"no secret through a folder": {
			grants: engine.Needs{"read": {"/proc", "/"}},
			needs:  engine.Needs{"read": {"/proc/1/environ"}},
			want: []engine.NeedError{{
				Capability: "read", Ungranted: true,
				Message: `needs read of "/proc/1/environ", which is not granted`,
				Hint:    `allow it in server.star with grants = {"read": ["/proc/1/environ"]}, or on the command line with --allow-read=/proc/1/environ`,
			}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, granting(t, c.grants).Review(c.needs)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWithRefuses(t *testing.T) {
	policy, errs := host.New(host.Options{}).With(engine.Needs{"read": {"/data", "data"}, "write": {"/"}}, "--allow-read")
	want := []engine.NeedError{
		{Capability: "read", Index: 1, Message: `read pattern "data" is not an absolute path`, Hint: "write it in full, from the root on: /var/log"},
		{Capability: "write", Index: -1, Message: `unknown capability "write"`, Hint: "there are: read, stat"},
	}
	if diff := cmp.Diff(want, errs); diff != "" {
		t.Error(diff)
	}
	if errs := policy.Review(engine.Needs{"read": {"/data/x"}}); len(errs) > 0 {
		t.Errorf("the well-formed grant is not in force: %+v", errs)
	}
}

func TestGrantsAddUp(t *testing.T) {
	none := host.New(host.Options{})
	flags, _ := none.With(engine.Needs{"read": {"/data", "/proc/*/stat"}}, "--allow-read")
	both, _ := flags.With(engine.Needs{"stat": {"/"}, "read": {"/data/sub"}}, "server.star")
	other, _ := flags.With(engine.Needs{"read": {"/other"}}, "server.star")

	needs := engine.Needs{"stat": {"/etc", "/data"}, "read": {"/proc/7/stat", "/other/x", "/data/sub/y"}}
	want := []engine.Coverage{
		{Capability: "read", Pattern: "/proc/7/stat", Grant: "/proc/*/stat", Source: "--allow-read"},
		{Capability: "read", Pattern: "/other/x"},
		{Capability: "read", Pattern: "/data/sub/y", Grant: "/data", Source: "--allow-read"},
		{Capability: "stat", Pattern: "/etc", Grant: "/", Source: "server.star"},
		{Capability: "stat", Pattern: "/data", Grant: "/data", Source: "--allow-read"},
	}
	if diff := cmp.Diff(want, both.Coverage(needs)); diff != "" {
		t.Error(diff)
	}
	// A policy is a value: what was made of one does not show in another.
	for name, c := range map[string]struct {
		policy engine.Policy
		want   int
	}{"none": {none, 5}, "flags": {flags, 2}, "both": {both, 1}, "other": {other, 1}} {
		if got := len(c.policy.Review(needs)); got != c.want {
			t.Errorf("%s: %d needs are refused, want %d", name, got, c.want)
		}
	}
}

func TestCapabilities(t *testing.T) {
	flags := map[string]string{}
	for _, c := range host.Capabilities() {
		flags[c.Name] = c.Flag
		if c.Doc == "" {
			t.Errorf("%s has no doc", c.Name)
		}
	}
	if diff := cmp.Diff(map[string]string{"read": "allow-read", "stat": "allow-stat"}, flags); diff != "" {
		t.Error(diff)
	}
}
