package unwrap

// bracketed is where in brackets and quotation marks a text is.
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

// brackets are the signs that change where in brackets and quotation marks a text is.
var brackets = [256]bool{'\\': true, '"': true, '(': true, '[': true, '{': true, ')': true, ']': true, '}': true}
