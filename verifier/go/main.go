// Verify checks proof files of the Remote Printing Service (../README.md):
//
//	verify -vkey VKEY [-kept FILE]... FILE...
package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const (
	maxLine, maxNotes, maxFindings, maxConsistencies = 16 << 20, 64 << 10, 100, 64
	// maxText is for lines without a body.
	maxText = 8192

	id, number = `([!-~]+)`, `(0|[1-9][0-9]{0,14})`
	// hash is 32 bytes in canonical base64.
	hash = `[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=`
	path = `((?: ` + hash + `)*)`
)

var (
	entryLine       = regexp.MustCompile(`^entry (rps1 ` + id + ` ` + number + ` (-|` + hash + `) ` + id + ` ` + number + ` (` + hash + `))$`)
	proofLine       = regexp.MustCompile(`^proof ` + number + path + `$`)
	consistencyLine = regexp.MustCompile(`^consistency ` + number + path + `$`)
	checkpointText  = regexp.MustCompile(`^` + id + `\n` + number + `\n(` + hash + `)\n$`)
	headText        = regexp.MustCompile(`^rps-head1 ` + id + `\n((account|stream) ` + id + ` ` + number + ` ` + number + ` ` + number +
		`)\n(` + hash + `)\n` + number + `\n(` + hash + `)\n(-|` + hash + `)\n$`)
)

// refusal ends the reading of a file.
type refusal string

func refuse(reason string, args ...interface{}) { panic(refusal(fmt.Sprintf(reason, args...))) }

func num(text string) int64 {
	n, _ := strconv.ParseInt(text, 10, 64)
	return n
}

func hashOf(text string) (h tlog.Hash) {
	raw, _ := base64.StdEncoding.DecodeString(text)
	copy(h[:], raw)
	return h
}

func hashesOf(text string) (hashes []tlog.Hash) {
	for _, each := range strings.Fields(text) {
		hashes = append(hashes, hashOf(each))
	}
	return hashes
}

// notes is what is signed at the end of a file; kind is empty for a checkpoint alone, headAt 0 for a note alone.
type notes struct {
	name, subject, kind, id, digest            string
	first, last, count, size, headAt, linesEnd int64
	leaf, root                                 tlog.Hash
}

type entry struct {
	line, seq, revision, number, leaf int64
	account, stream                   string
	body, hash                        tlog.Hash
	hasBody                           bool
}

func (e *entry) String() string {
	return fmt.Sprintf("line %d, stream %s revision %d", e.line, e.stream, e.revision)
}

// number of e in the account or stream of a head.
func (n *notes) number(e *entry) (int64, bool) {
	if n.kind == "account" {
		return e.seq, e.account == n.id
	}
	return e.revision, n.kind == "stream" && e.stream == n.id
}

// textOf gives the parts of a note that the key has signed exactly once.
func textOf(text string, form *regexp.Regexp, v note.Verifier) []string {
	n, err := note.Open([]byte(text), note.VerifierList(v))
	if err != nil {
		refuse("a note at the end: %v", err)
	}
	own := 0
	for _, line := range strings.Split(strings.TrimSuffix(text[len(n.Text)+1:], "\n"), "\n") {
		part := strings.Split(line, " ")
		raw, _ := base64.StdEncoding.DecodeString(part[2])
		if base64.StdEncoding.EncodeToString(raw) != part[2] {
			refuse("a signature is not in canonical base64")
		}
		if part[1] == v.Name() && fmt.Sprintf("%x", raw[:4]) == fmt.Sprintf("%08x", v.KeyHash()) {
			own++
		}
	}
	found := form.FindStringSubmatch(n.Text)
	if own != 1 || found == nil || found[1] != v.Name() {
		refuse("a note at the end is not one of %s", v.Name())
	}
	return found
}

func checkpointOf(text string, v note.Verifier) *notes {
	p := textOf(text, checkpointText, v)
	if p[2] == "0" {
		refuse("the checkpoint has no size")
	}
	return &notes{size: num(p[2]), root: hashOf(p[3])}
}

// notesOf reads the end of a file.
func notesOf(f *os.File, v note.Verifier) *notes {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		refuse("not a file")
	}
	size := info.Size()
	from := size - maxNotes
	if from < 0 {
		from = 0
	}
	tail := make([]byte, size-from)
	if _, err := f.ReadAt(tail, from); err != nil {
		refuse("%v", err)
	}
	parts := strings.Split(string(tail), "\n\n")
	if len(parts) < 2 {
		refuse("a note at the end is cut off or malformed")
	}
	last := strings.Join(parts[len(parts)-2:], "\n\n")
	alone := int64(len(last)) == size
	if alone && !strings.HasPrefix(last, "rps-head1 ") {
		return checkpointOf(last, v)
	}
	p := textOf(last, headText, v)
	n := &notes{subject: p[2], kind: p[3], id: p[4], first: num(p[5]), last: num(p[6]), count: num(p[7]),
		leaf: hashOf(p[8]), size: num(p[9]), root: hashOf(p[10]), digest: p[11]}
	if alone {
		return n
	}
	if len(parts) < 5 {
		refuse("the file lacks its beginning")
	}
	first := strings.Join(parts[len(parts)-4:len(parts)-2], "\n\n") + "\n"
	if c := checkpointOf(first, v); c.size != n.size || c.root != n.root {
		refuse("the notes are of two states")
	}
	n.headAt = size - int64(len(last))
	n.linesEnd = n.headAt - int64(len(first)) - 2
	return n
}

type reader struct {
	*notes
	kept          []*notes
	findings      []string
	withheld      []string
	line, lead    int64
	entry         *entry
	revisions     map[string]int64
	consistencies map[int64]tlog.TreeProof
}

// find names what is wrong with an entry, or without one with the file.
func (r *reader) find(e *entry, reason string, args ...interface{}) {
	text := fmt.Sprintf(reason, args...)
	if e != nil {
		text = e.String() + ": " + text
	}
	if r.findings = append(r.findings, text); len(r.findings) == maxFindings {
		refuse("more than %d findings", maxFindings)
	}
}

func (r *reader) leave() {
	if e := r.entry; e != nil && !e.hasBody {
		r.withheld = append(r.withheld, e.String())
	}
	if e := r.entry; e != nil && e.leaf < 0 && r.kind == "stream" {
		r.find(e, "has no proof")
	}
}

func (r *reader) enter(p []string) {
	r.leave()
	before := r.entry
	due := r.first
	if before != nil {
		due = before.number + 1
	}
	if due > r.last {
		refuse("line %d: an entry beyond number %d of the head", r.line, r.last)
	}
	e := &entry{line: r.line, account: p[2], seq: num(p[3]), stream: p[5], revision: num(p[6]),
		body: hashOf(p[7]), hash: tlog.RecordHash([]byte(p[1])), leaf: -1}
	r.entry = e
	n, ours := r.number(e)
	if e.number = n; !ours {
		e.number = due
	}
	if !ours || n != due {
		r.find(e, "is not number %d of %s %s", due, r.kind, r.id)
	}
	if before != nil && (before.account != e.account || e.seq <= before.seq) {
		r.find(e, "is of another chain")
	}
	follows := (p[4] == "-") == (e.seq == 0)
	if before != nil && e.seq == before.seq+1 {
		follows = p[4] != "-" && hashOf(p[4]) == before.hash
	}
	if !follows && before != nil {
		r.find(e, "does not follow %s", before)
	} else if !follows {
		r.find(e, "does not follow its predecessor")
	}
	known, seen := r.revisions[e.stream]
	if r.kind == "account" && (seen && e.revision != known+1 || !seen && r.first == 0 && e.revision != 0) {
		r.find(e, "a revision before it is missing")
	}
	r.revisions[e.stream] = e.revision
	for _, k := range r.kept {
		if n, ok := k.number(e); ok && n == k.last && k.leaf != e.hash {
			r.find(e, "CONTRADICTION: %s has another entry %d", k.name, n)
		}
	}
}

func (r *reader) prove(p []string) {
	e := r.entry
	e.leaf = num(p[1])
	if e.leaf-e.seq < r.lead {
		r.find(e, "its leaf number is too low")
	}
	r.lead = e.leaf - e.seq
	if e.leaf >= r.size || tlog.CheckRecord(hashesOf(p[2]), r.size, r.root, e.leaf, e.hash) != nil {
		r.find(e, "its proof does not lead to the root")
	}
	for _, k := range r.kept {
		if n, ok := k.number(e); ok && (e.leaf < k.size) != (n < k.count) {
			r.find(e, "CONTRADICTION: %s counts %d entries", k.name, k.count)
		}
	}
}

func (r *reader) take(line []byte) {
	r.line++
	open := r.entry != nil && r.entry.leaf < 0 && len(r.consistencies) == 0
	if r.line == 1 {
		if string(line) != "rps-evidence/1 "+r.subject {
			refuse("the first line is not that of the head")
		}
	} else if bytes.HasPrefix(line, []byte("body ")) && open && !r.entry.hasBody {
		if r.entry.hasBody = true; sha256.Sum256(line[5:]) != r.entry.body {
			r.find(r.entry, "CHANGED: the log has another event")
		}
	} else if len(line) > maxText {
		refuse("line %d is too long", r.line)
	} else if p := entryLine.FindStringSubmatch(string(line)); p != nil && len(r.consistencies) == 0 {
		r.enter(p)
	} else if p := proofLine.FindStringSubmatch(string(line)); p != nil && open {
		r.prove(p)
	} else if p := consistencyLine.FindStringSubmatch(string(line)); p != nil && r.entry != nil && r.consistencies[num(p[1])] == nil {
		if len(r.consistencies) == maxConsistencies {
			refuse("more than %d consistency lines", maxConsistencies)
		}
		r.consistencies[num(p[1])] = append(tlog.TreeProof{}, hashesOf(p[2])...)
	} else {
		refuse("line %d is malformed or out of place", r.line)
	}
}

func (r *reader) end() {
	r.leave()
	if e := r.entry; e == nil || e.number != r.last || e.hash != r.leaf || e.leaf < 0 {
		r.find(e, "is not entry %d of the head with its proof", r.last)
	}
	if r.kind == "stream" && (r.first != 0 || r.last != r.count-1) || r.last >= r.count || r.count > r.size {
		r.find(nil, "the head is impossible")
	}
	for _, k := range r.kept {
		proof, ok := r.consistencies[k.size]
		if k.size > r.size {
			r.find(nil, "%s is newer than the file: size %d, not %d", k.name, k.size, r.size)
		} else if !ok && k.size < r.size {
			r.find(nil, "the file does not lead from %s on: export it with since=%d", k.name, k.size)
		} else if tlog.CheckTree(proof, r.size, r.root, k.size, k.root) != nil {
			r.find(nil, "FORK: %s is of another log", k.name)
		}
		if k.kind == r.kind && k.id == r.id && k.count > r.count {
			r.find(nil, "CONTRADICTION: %s counts %d entries, the file %d", k.name, k.count, r.count)
		}
	}
}

// lines is bufio.ScanLines that keeps carriage returns.
func lines(data []byte, atEOF bool) (int, []byte, error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i], nil
	}
	return 0, nil, nil
}

func (r *reader) read(f *os.File) {
	digest := sha256.New()
	scanner := bufio.NewScanner(io.TeeReader(io.NewSectionReader(f, 0, r.headAt), digest))
	scanner.Buffer(nil, maxLine)
	scanner.Split(lines)
	for at := int64(0); scanner.Scan(); {
		if at += int64(len(scanner.Bytes())) + 1; at <= r.linesEnd {
			r.take(scanner.Bytes())
		}
	}
	if scanner.Err() != nil {
		refuse("line %d: %v", r.line+1, scanner.Err())
	}
	if base64.StdEncoding.EncodeToString(digest.Sum(nil)) != r.digest {
		r.find(nil, "the file is not the one that was signed")
	}
	r.end()
}

func inFile(name string, act func(f *os.File)) {
	f, err := os.Open(name)
	if err != nil {
		refuse("%v", err)
	}
	defer f.Close()
	act(f)
}

// verify reads one file; it holds if there are no findings.
func verify(name string, kept []string, v note.Verifier) (r *reader) {
	r = &reader{revisions: map[string]int64{}, consistencies: map[int64]tlog.TreeProof{}}
	reading := ""
	defer func() {
		if reason := recover(); reason != nil {
			r.findings = append(r.findings, fmt.Sprint(reading, reason))
		}
	}()
	for _, each := range kept {
		reading = each + ": "
		inFile(each, func(f *os.File) { r.kept = append(r.kept, notesOf(f, v)) })
		r.kept[len(r.kept)-1].name = each
	}
	reading = ""
	inFile(name, func(f *os.File) {
		if r.notes = notesOf(f, v); r.headAt == 0 {
			refuse("this is a note, not a proof file")
		}
		r.read(f)
	})
	return r
}

func main() {
	var kept []string
	key := flag.String("vkey", "", "key of the log, NAME+HASH+BASE64")
	flag.Func("kept", "checkpoint, head or older proof file", func(name string) error {
		kept = append(kept, name)
		return nil
	})
	flag.Parse()
	v, err := note.NewVerifier(strings.TrimSpace(*key))
	if err != nil || flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: verify -vkey VKEY [-kept FILE]... FILE...")
		os.Exit(2)
	}
	code := 0
	for _, name := range flag.Args() {
		r := verify(name, kept, v)
		for _, place := range r.withheld {
			fmt.Println("withheld", place)
		}
		for _, finding := range r.findings {
			fmt.Println("FAILS", finding)
		}
		if len(r.findings) == 0 {
			fmt.Println("HOLDS")
		} else {
			fmt.Println("DOES NOT HOLD")
			code = 1
		}
	}
	os.Exit(code)
}
