package main

import (
	"fmt"
	"strings"
)

// toolName is the one tool that is called. Every contender serves it, with the
// same properties and rules and the same behaviour: five arguments, a
// structured result, and a schema for each.
const toolName = "greet"

const (
	greetDescription = "Greets someone, as often as you like."
	nameDescription  = "Whom to greet."
	pathDescription  = "Only the filesystem that holds this path."
	limitDescription = "At most this many."
)

// greetArguments is what every call sends.
const greetArguments = `{"name":"Zoë","greeting":"welcome","times":2,"excited":true,"tags":["a","b","c"]}`

// greetAnswer is a part of the answer to greetArguments that no contender can
// give without having run the tool.
const greetAnswer = "welcome, Zoë! welcome, Zoë!"

// greetArgs are the arguments of the tool in Go.
type greetArgs struct {
	Name     string   `json:"name" jsonschema:"Whom to greet."`
	Greeting string   `json:"greeting,omitempty"`
	Times    int      `json:"times,omitempty"`
	Excited  bool     `json:"excited,omitempty"`
	Tags     []string `json:"tags,omitempty"`
}

// greetResult is the result of the tool in Go.
type greetResult struct {
	Message string   `json:"message"`
	Times   int      `json:"times"`
	Tags    []string `json:"tags"`
}

// greet is the tool in Go; tools/greet.star is the same in Starlark.
func greet(args greetArgs) greetResult {
	end := "."
	if args.Excited {
		end = "!"
	}
	line := args.Greeting + ", " + args.Name + end
	lines := make([]string, args.Times)
	for i := range lines {
		lines[i] = line
	}
	return greetResult{Message: strings.Join(lines, " "), Times: args.Times, Tags: args.Tags}
}

// A filler is a tool that only makes a list longer: 1,000 of them are about
// 400 KB.
type filler struct {
	name        string
	description string
}

// fillerArgs are the arguments of a filler in Go.
type fillerArgs struct {
	Path  string `json:"path,omitempty" jsonschema:"Only the filesystem that holds this path."`
	Limit int    `json:"limit,omitempty" jsonschema:"At most this many."`
}

// fillers returns n-1 tools, so that together with greet there are n.
func fillers(n int) []filler {
	all := make([]filler, max(0, n-1))
	for i := range all {
		all[i] = filler{
			name: fmt.Sprintf("filler_%04d", i),
			description: fmt.Sprintf("Stands in the list as number %d and is never called. "+
				"Its description is as long as that of a tool that means something.", i),
		}
	}
	return all
}
