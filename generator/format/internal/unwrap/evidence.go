package unwrap

import (
	"bytes"
	"slices"
)

// prefixes removes the prefixes of a line that are known or need no evidence.
func (r *Reader) prefixes(l *line) (changed bool) {
	l.maybe = 0
	for range maxDepth {
		i, found := matching(l.text, l.had&once|r.hopeless)
		if i < 0 {
			break
		}
		source := r.intern(l.source, i, found.source)
		if prefixes[i].taken != always && r.known&(1<<i) == 0 {
			l.maybe, l.rest, l.of = uint8(i+1), found.rest, source
			break
		}
		if r.signs != (signs{}) || found.again {
			if found.again { // its quoted text had its own control characters
				r.signs = signs{controls: true, returns: true, feeds: true, quoted: true, parts: true}
				r.hopeless &= ofLoggers
			}
			found.rest = r.shown(found.rest, l.ended)
		}
		l.text, l.source, l.goesOn = found.rest, source, found.goesOn
		l.named = l.named || prefixes[i].oneProgram
		l.had |= 1 << i
		changed = true
		if l.goesOn {
			break
		}
	}
	return changed
}

// confirm removes the prefixes for which there is enough evidence. It reports whether there were any.
func (r *Reader) confirm(whole bool) (changed bool) {
	var rows [len(prefixes)][]line // for each prefix, the longest sequence of lines that have it
	var having [len(prefixes)]int
	filled := 0
	for from := 0; from < len(r.lines); {
		maybe := r.lines[from].maybe
		to := from
		for to < len(r.lines) && (r.lines[to].maybe == maybe || maybe != 0 && (len(r.lines[to].text) == 0 || r.lines[to].frame)) {
			if len(bytes.TrimSpace(r.lines[to].text)) > 0 && !r.lines[to].frame {
				filled++
				having[max(maybe, 1)-1] += min(int(maybe), 1)
			}
			to++
		}
		if maybe != 0 && to-from > len(rows[maybe-1]) {
			rows[maybe-1] = r.lines[from:to]
		}
		from = to
	}
	for i, lines := range rows {
		if len(lines) == 0 {
			continue
		}
		all := whole && having[i] == filled
		found := enough(&prefixes[i], lines, all)
		r.Doubted = r.Doubted || found
		switch taken := prefixes[i].taken; {
		case !found || taken == byLoggers && !all && !r.eager || taken == onAll && having[i]*10 < filled*9 && !r.eager:
		default:
			r.known |= 1 << i
			changed = true
		}
	}
	if !changed {
		return false
	}
	for i := range r.lines {
		l := &r.lines[i]
		if l.maybe != 0 && r.known&(1<<(l.maybe-1)) != 0 {
			l.text, l.source = r.shown(l.rest, l.ended), l.of
			l.had |= 1 << (l.maybe - 1)
			l.named = l.named || prefixes[l.maybe-1].oneProgram
			r.prefixes(l)
		}
	}
	return true
}

// decided returns the number of lines that do not depend on later lines.
func (r *Reader) decided() int {
	n := len(r.lines)
	if r.waiting > 0 {
		return r.waiting
	}
	if n > 1 && r.lines[n-1].goesOn {
		return n - 1
	}
	for n > 0 && r.lines[n-1].maybe != 0 && len(r.lines)-n < fewest {
		n--
	}
	if n == 0 || len(r.lines)-n >= fewest {
		return len(r.lines)
	}
	return n
}

// enough reports whether consecutive lines are enough to confirm a prefix. all says that every line of the file has the
// prefix: that is enough if one program wrote them.
func enough(p *prefix, lines []line, all bool) bool {
	n := 0
	var sources []string
	for i := range lines {
		if lines[i].maybe == 0 {
			continue
		}
		n++
		if of := lines[i].of; of != "" && len(sources) <= MaxStreams && !slices.Contains(sources, of) {
			sources = append(sources, of)
		}
	}
	switch {
	case p.accept != nil && !p.accept(lines):
		return false
	case all && len(sources) <= 1:
		return true
	}
	return n >= fewest && (!p.vague || n >= fewest*len(sources))
}
