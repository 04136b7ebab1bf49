package record

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/benchpost/benchpost/generator/format"
)

// versions are the URLs at which servers report their version, and the field of the response that holds it. Where
// engine is "", v1/models tells which engine it is.
var versions = []struct {
	path, field, engine string // engine is "" for a URL that several engines have
}{
	{"/version", "version", ""},
	{"/get_server_info", "version", "sglang"},
	{"/api/version", "version", "ollama"},
	{"/props", "build_info", "llama.cpp"},
}

// owners maps the owner of a model, as reported by a server, to the engine.
var owners = map[string]string{"vllm": "vllm", "sglang": "sglang", "llamacpp": "llama.cpp", "library": "ollama", "tensorrt_llm": "tensorrt-llm"}

// engine asks the server for its engine and version.
func (c *capture) engine(ctx context.Context) {
	if c.server == "" {
		c.missing("server", "the command names none; --server URL does")
		return
	}
	answers := make([]string, len(versions))
	owner := ""
	var why error
	var asking sync.WaitGroup
	for i, v := range versions {
		asking.Go(func() {
			var fields map[string]any
			data, err := get(ctx, c.server+v.path)
			if i == 0 {
				why = err
			}
			if err == nil && json.Unmarshal(data, &fields) == nil {
				answers[i], _ = fields[v.field].(string)
			}
		})
	}
	asking.Go(func() {
		var models struct {
			Data []struct {
				Owner string `json:"owned_by"`
			}
		}
		if data, err := get(ctx, c.server+"/v1/models"); err == nil && json.Unmarshal(data, &models) == nil && len(models.Data) > 0 {
			owner = owners[models.Data[0].Owner]
		}
	})
	asking.Go(func() { c.container(ctx) })
	asking.Wait()
	for i, v := range versions {
		if answers[i] == "" {
			continue
		}
		engine := v.engine
		if engine == "" {
			engine = owner
		}
		c.note(func(r *format.Record) { r.Engine, r.EngineVersion = engine, mask(answers[i]) })
		return
	}
	if why == nil {
		why = errors.New("it tells no version")
	}
	c.missing("version of the server", reason(why))
}

// container notes the image of the container in which the server runs, if the server is on this machine and docker
// publishes its port.
func (c *capture) container(ctx context.Context) {
	u, err := url.Parse(c.server)
	if err != nil {
		return
	}
	name, _ := os.Hostname()
	host, port := u.Hostname(), u.Port()
	if ip := net.ParseIP(host); host != "localhost" && host != name && (ip == nil || !ip.IsLoopback()) {
		return // on another machine
	}
	out, err := output(ctx, "", "docker", "ps", "--no-trunc", "--format", "{{.Image}}\t{{.Ports}}")
	if err != nil {
		c.missing("docker", reason(err))
		return
	}
	for line := range strings.Lines(out) {
		image, ports, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if port != "" && strings.Contains(ports, ":"+port+"->") {
			c.note(func(r *format.Record) { r.Image = image })
			return
		}
	}
	c.missing("image of the server", "no container publishes its port")
}

const mostAnswer = 32 << 20 // bytes of a response

// get fetches a URL. It uses no proxy and follows no redirection.
func get(ctx context.Context, address string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, errors.New("no address")
	}
	client := http.Client{
		Transport:     &http.Transport{DialContext: (&net.Dialer{Timeout: patience}).DialContext, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	answer, err := client.Do(request)
	if err != nil {
		var failed *url.Error
		if errors.As(err, &failed) {
			if failed.Timeout() {
				return nil, fmt.Errorf("no answer within %v", patience)
			}
			err = failed.Err
		}
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("it answers %s", answer.Status)
	}
	data, err := io.ReadAll(io.LimitReader(answer.Body, mostAnswer+1))
	if len(data) > mostAnswer {
		return nil, errors.New("its answer is too long")
	}
	return data, err
}

// saveMetrics writes a server's current metrics to a file. The time in its first line helps to compare two such files.
func saveMetrics(ctx context.Context, address, name string) error {
	data, err := get(ctx, address)
	if err != nil {
		return err
	}
	head := fmt.Sprintf("# Answer of %s at %s\n", mask(address), time.Now().Format(time.RFC3339))
	return os.WriteFile(name, append([]byte(head), data...), 0o644)
}
