package unwrap

// bracketed tracks the nesting of brackets and quotation marks in a text.
type bracketed struct {
	depth   int
	quoted  bool
	escaped bool
}

func (in *bracketed) add(text []byte) {
	for _, c := range text {
		if !in.escaped && !brackets[c] {
			continue
		}
		switch {
		case in.escaped:
			in.escaped = false
		case in.quoted && c == '\\':
			in.escaped = true
		case c == '"':
			in.quoted = !in.quoted
		case in.quoted:
		case c == '(' || c == '[' || c == '{':
			in.depth++
		case c == ')' || c == ']' || c == '}':
			in.depth--
		}
	}
}

// brackets is the set of bytes that change the state of bracketed.
var brackets = [256]bool{'\\': true, '"': true, '(': true, '[': true, '{': true, ')': true, ']': true, '}': true}
