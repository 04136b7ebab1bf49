package catalogue

import (
	"slices"
	"sync"
)

// table returns the rows of all families.
var table = sync.OnceValue(func() []row {
	return slices.Concat(qwen, llama, mistral, gemma, phi, deepseek, glm, others)
})
