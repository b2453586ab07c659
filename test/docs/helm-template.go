// Renders a chart as `helm template` does, with the functions that our chart uses, for machines without helm.
// stdin: {"files": {name: text}, "context": {Values, Chart, Release}}. stdout: the documents of all templates.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sort"
	"strings"
	"text/template"
)

type chart struct {
	Files   map[string]string `json:"files"`
	Context map[string]any    `json:"context"`
}

func main() {
	var given chart
	check(json.NewDecoder(os.Stdin).Decode(&given))
	all := template.New("chart").Option("missingkey=error")
	all.Funcs(template.FuncMap{
		"dict":     dict,
		"list":     func(items ...any) []any { return items },
		"default":  func(other, value any) any { return either(value, other) },
		"quote":    func(value any) string { return fmt.Sprintf("%q", fmt.Sprint(value)) },
		"nindent":  func(by int, text string) string { return "\n" + indented(by, text) },
		"required": required,
		"toJson": func(value any) (string, error) {
			text, err := json.Marshal(value)
			return string(text), err
		},
		"include": func(name string, data any) (string, error) {
			var text strings.Builder
			err := all.ExecuteTemplate(&text, name, data)
			return text.String(), err
		},
	})
	names := make([]string, 0, len(given.Files))
	for name, text := range given.Files {
		template.Must(all.New(name).Parse(text))
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		if !strings.HasSuffix(name, ".yaml") {
			continue
		}
		fmt.Println("\n---")
		check(all.ExecuteTemplate(os.Stdout, name, given.Context))
	}
}

func dict(pairs ...any) map[string]any {
	made := map[string]any{}
	for n := 0; n < len(pairs); n += 2 {
		made[pairs[n].(string)] = pairs[n+1]
	}
	return made
}

func either(value, other any) any {
	if value == nil || value == "" {
		return other
	}
	return value
}

func indented(by int, text string) string {
	space := strings.Repeat(" ", by)
	return space + strings.ReplaceAll(text, "\n", "\n"+space)
}

func required(message string, value any) (any, error) {
	if value == nil || value == "" {
		return nil, errors.New(message)
	}
	return value, nil
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
