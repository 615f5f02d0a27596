package main

import (
	"cmp"
	"encoding/json"

	"github.com/starmcp/starmcp/engine"
)

// A listedTool is one tool in the JSON that list prints.
type listedTool struct {
	Name         string          `json:"name"`
	Title        string          `json:"title,omitempty"`
	Description  string          `json:"description"`
	File         string          `json:"file"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema,omitempty"`
	Annotations  json.RawMessage `json:"annotations,omitempty"`
	Icons        json.RawMessage `json:"icons,omitempty"`
	Meta         json.RawMessage `json:"_meta,omitempty"`
	Needs        []listedNeed    `json:"needs"`
	Limits       listedLimits    `json:"limits"`
}

// A listedNeed is one need, and the grant that allows it, if any does.
type listedNeed struct {
	Capability string `json:"capability"`
	Pattern    string `json:"pattern"`
	Granted    bool   `json:"granted"`
	Grant      string `json:"grant,omitempty"`
	Source     string `json:"source,omitempty"`
}

// listedLimits are the limits of a call, with units in their names.
type listedLimits struct {
	Timeout string `json:"timeout"`
	Steps   uint64 `json:"steps"`
	Memory  int64  `json:"memoryBytes"`
	Output  int    `json:"outputBytes"`
	Print   int    `json:"printBytes"`
}

// A listed table is what list prints for programs.
type listed struct {
	Server    listedServer `json:"server"`
	Digest    string       `json:"digest"`
	Isolation string       `json:"isolation"` // "none": limits on memory are not enforced
	Tools     []listedTool `json:"tools"`
}

type listedServer struct {
	Name         string `json:"name"`
	Title        string `json:"title,omitempty"`
	Version      string `json:"version"`
	Instructions string `json:"instructions,omitempty"`
}

func listing(table engine.Toolset, isolation string) listed {
	catalogue := table.Catalogue()
	out := listed{
		Server:    listedServer(named(catalogue.Identity)),
		Digest:    table.Digest(),
		Isolation: isolation,
		Tools:     make([]listedTool, 0, len(table.Tools())),
	}
	for _, t := range table.Tools() {
		d := t.Descriptor
		out.Tools = append(out.Tools, listedTool{
			Name: d.Name, Title: d.Title, Description: d.Description, File: t.File,
			InputSchema: d.InputSchema, OutputSchema: d.OutputSchema,
			Annotations: d.Annotations, Icons: d.Icons, Meta: d.Meta,
			Needs: listedNeeds(t.Coverage),
			Limits: listedLimits{
				Timeout: t.Limits.Timeout.String(),
				Steps:   t.Limits.Steps, Memory: t.Limits.Memory, Output: t.Limits.Output, Print: t.Limits.Print,
			},
		})
	}
	return out
}

// named returns what clients are told of a server: where the directory says
// nothing, it is this program that answers.
func named(id engine.Identity) engine.Identity {
	id.Name, id.Version = cmp.Or(id.Name, programName), cmp.Or(id.Version, version())
	return id
}

func listedNeeds(coverage []engine.Coverage) []listedNeed {
	needs := make([]listedNeed, 0, len(coverage))
	for _, c := range coverage {
		needs = append(needs, listedNeed{c.Capability, c.Pattern, c.Grant != "", c.Grant, c.Source})
	}
	return needs
}
