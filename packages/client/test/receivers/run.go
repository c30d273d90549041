// Runs the example with the cases on stdin and prints whether it accepted each.
package main

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"os"

	"example/webhooks"
)

func main() {
	var cases []struct {
		Headers map[string]string
		Body    string
		Secret  string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	told := make([]*string, len(cases))
	for n, c := range cases {
		header := http.Header{}
		for name, value := range c.Headers {
			header.Set(name, value)
		}
		body, _ := base64.StdEncoding.DecodeString(c.Body)
		if event, err := webhooks.Verify(header, body, c.Secret); err == nil {
			told[n] = &event.ID
		}
	}
	json.NewEncoder(os.Stdout).Encode(told)
}
