#!/usr/bin/env node
/**
 * Checks a proof file of the Remote Printing Service. Needs Node 20 or later and nothing else (README.md).
 *
 *   node verify.mjs --vkey VKEY [--kept FILE[@TIME]]... [--tlog-proof NUMBER] FILE
 */
import { Buffer } from 'node:buffer';
import { createHash, createPublicKey, verify as signatureHolds } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** Bytes. No stored event is near it. */
const MAX_LINE = 16 * 1024 * 1024;
/** Bytes of the two notes at the end of a file. */
const MAX_NOTES = 64 * 1024;
const MAX_FINDINGS = 100;
const MAX_CONSISTENCIES = 64;
/** How far the auditor's clock may be ahead of the service's, in milliseconds. */
const CLOCK_ALLOWANCE = 3_600_000;

/** 32 bytes in canonical base64. */
const HASH = '[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=';
const PARTS = {
  ID: '([!-~]+)',
  N: '(0|[1-9]\\d{0,14})',
  HASH: `(${HASH})`,
  MAYBE: `(-|${HASH})`,
  HASHES: `((?: ${HASH}){0,64})`,
};
const form = (text) => new RegExp(`^${text.replace(/[A-Z]+/g, (name) => PARTS[name])}$`);
const ENTRY = form('entry (rps1 ID N MAYBE ID N HASH)');
const PROOF = form('proof N(?:)HASHES');
const CONSISTENCY = form('consistency N(?:)HASHES');
const CHECKPOINT = form('ID\nN\nHASH\n');
const HEAD = form('rps-head1 ID\n((account|stream) ID N N N)\nHASH\nN\nHASH\nMAYBE\n');
const NOTE = /^([^]+?\n)\n((?:\xe2\x80\x94 [^ \n]+ [A-Za-z0-9+/]+={0,2}\n)+)$/;

/** Ends the reading; the message becomes a finding. */
const refuse = (reason) => {
  throw new Error(reason);
};
const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
const nodeHash = (left, right) => sha256('\x01', left, right);
const hashesOf = (text) =>
  text
    .split(' ')
    .slice(1)
    .map((hash) => Buffer.from(hash, 'base64'));
const half = (number) => Math.floor(number / 2);
const isOdd = (number) => number % 2 === 1;

/** Climbs to the roots of the old and of the whole tree (RFC 9162, 2.1.3.2 and 2.1.4.2). */
function climb(at, last, seed, path) {
  let [old, root] = [seed, seed];
  for (const hash of path) {
    if (last === 0) return {};
    if (isOdd(at) || at === last) {
      [old, root] = [nodeHash(hash, old), nodeHash(hash, root)];
      while (!isOdd(at) && at !== 0) [at, last] = [half(at), half(last)];
    } else root = nodeHash(root, hash);
    [at, last] = [half(at), half(last)];
  }
  return last === 0 ? { old, root } : {};
}

/** Whether the tree `old` is the beginning of the tree `now`, both `{ size, root }`. */
function isConsistent(old, now, proof) {
  if (old.size === now.size) return proof.length === 0 && old.root.equals(now.root);
  let [at, last] = [old.size - 1, now.size - 1];
  while (isOdd(at)) [at, last] = [half(at), half(last)];
  const [seed, ...path] = at === 0 ? [old.root, ...proof] : proof;
  const roots = seed ? climb(at, last, seed, path) : {};
  return Boolean(roots.old?.equals(old.root) && roots.root.equals(now.root));
}

/** The key of `<name>+<hash>+<base64>` (C2SP signed-note); undefined if the text is no Ed25519 key. */
export function keyOf(vkey) {
  const [, name, hash, base64] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})$/.exec(vkey) ?? [];
  const bytes = Buffer.from(base64 ?? '', 'base64');
  if (bytes[0] !== 1 || sha256(name, '\n', bytes).toString('hex', 0, 4) !== hash) return undefined;
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), bytes.subarray(1)]);
  return { name, hash, publicKey: createPublicKey({ key: der, format: 'der', type: 'spki' }) };
}

/** The text of a note, one character a byte, if `key` has signed it exactly once. */
function textOf(note, { name, hash, publicKey }) {
  const [, text, lines] = NOTE.exec(note) ?? refuse('a note at the end is cut off or malformed');
  const own = lines
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const [, signer, base64] = line.split(' ');
      const bytes = Buffer.from(base64, 'base64');
      if (bytes.toString('base64') !== base64) refuse('a signature is not in canonical base64');
      return signer === name && bytes.toString('hex', 0, 4) === hash ? [bytes.subarray(4)] : [];
    });
  const signed = Buffer.from(text, 'latin1');
  if (own.length !== 1 || !signatureHolds(null, signed, publicKey, own[0])) refuse(`not signed by ${name}`);
  return text;
}

function checkpointOf(note, key) {
  const [, origin, size, root] = CHECKPOINT.exec(textOf(note, key)) ?? [];
  if (origin !== key.name || size === '0') refuse(`the checkpoint is not one of ${key.name}`);
  return { size: Number(size), root: Buffer.from(root, 'base64') };
}

function headOf(note, key) {
  const [, origin, subject, kind, id, ...rest] = HEAD.exec(textOf(note, key)) ?? [];
  if (origin !== key.name) refuse(`the head is not one of ${key.name}`);
  const [first, last, count, , size] = rest.map(Number);
  const [leafHash, , root, digest] = rest.slice(3);
  return { subject, kind, id, first, last, count, size, leafHash, root: Buffer.from(root, 'base64'), digest };
}

/** What is signed at the end of a proof file, or is a checkpoint or head alone. */
function notesOf(fd, size, key) {
  const tail = Buffer.alloc(Math.min(size, MAX_NOTES));
  readSync(fd, tail, 0, tail.length, size - tail.length);
  const parts = tail.toString('latin1').split('\n\n');
  const last = parts.slice(-2).join('\n\n');
  if (last.length === size && !last.startsWith('rps-head1 ')) return checkpointOf(last, key);
  const head = headOf(last, key);
  if (last.length === size) return head;
  const note = `${parts.slice(-4, -2).join('\n\n')}\n`;
  const checkpoint = parts.length < 5 ? refuse('the file lacks its beginning') : checkpointOf(note, key);
  if (checkpoint.size !== head.size || !checkpoint.root.equals(head.root))
    refuse('the notes are of two states');
  const headAt = size - last.length;
  return { ...head, note, headAt, linesEnd: headAt - note.length - 2 };
}

/** The lines before `end`, each without its line feed. */
function* linesOf(fd, end, digest) {
  let rest = [];
  let held = 0;
  for (let at = 0; at < end;) {
    const chunk = Buffer.alloc(Math.min(65_536, end - at));
    if (readSync(fd, chunk, 0, chunk.length, at) < chunk.length) refuse('the file became shorter');
    at += chunk.length;
    digest.update(chunk);
    let from = 0;
    for (let to; (to = chunk.indexOf(10, from)) >= 0; from = to + 1) {
      yield Buffer.concat([...rest, chunk.subarray(from, to)]);
      [rest, held] = [[], 0];
    }
    rest.push(chunk.subarray(from));
    held += chunk.length - from;
    if (held > MAX_LINE) refuse(`a line is longer than ${MAX_LINE} bytes`);
  }
}

/** The number of the entry in the account or stream of a head; undefined if it belongs to another one. */
function numberIn({ kind, id }, entry) {
  if (kind === 'account') return entry.account === id ? entry.seq : undefined;
  return kind === 'stream' && entry.stream === id ? entry.revision : undefined;
}

/** When the event was recorded, in milliseconds; NaN if its body does not say. */
function timeOf(body) {
  try {
    return Date.parse(JSON.parse(body.toString('utf8')).metadata.at);
  } catch {
    return NaN;
  }
}

/** Takes the lines of a proof file in their order. `find(reason, entry)` gets what is wrong with an entry. */
function readerOf(head, kept, find, wanted) {
  const [revisions, consistencies, withheld] = [new Map(), new Map(), []];
  let [line, lead] = [0, 0];
  let entry;
  let tlogProof;

  function leave() {
    if (entry && !entry.hasBody) withheld.push(entry);
    if (entry && entry.leaf === undefined && head.kind === 'stream') find('has no proof', entry);
  }

  function enter([, text, account, seq, prev, stream, revision, bodyHash]) {
    leave();
    const before = entry;
    const due = before ? before.number + 1 : head.first;
    if (due > head.last) refuse(`line ${line}: an entry beyond number ${head.last} of the head`);
    const hash = sha256('\0', text);
    entry = { line, account, seq: Number(seq), stream, revision: Number(revision), bodyHash, hash };
    const number = numberIn(head, entry);
    entry.number = number ?? due;
    entry.leafHash = hash.toString('base64');
    if (number !== due) find(`is not number ${due} of ${head.kind} ${head.id}`, entry);
    if (before && (before.account !== account || entry.seq <= before.seq)) find('is of another chain', entry);
    const follows =
      entry.seq - 1 === before?.seq ? prev === before.leafHash : (prev === '-') === (seq === '0');
    if (!follows) find(`does not follow ${before ? placeOf(before) : 'its predecessor'}`, entry);
    const next = revisions.has(stream) ? revisions.get(stream) + 1 : head.first === 0 ? 0 : entry.revision;
    if (head.kind === 'account' && entry.revision !== next) find(`revision ${next} is missing`, entry);
    revisions.set(stream, entry.revision);
    for (const { name, last, leafHash, ...one } of kept)
      if (leafHash && leafHash !== entry.leafHash && numberIn(one, entry) === last)
        find(`CONTRADICTION: ${name} has another entry ${last}`, entry);
  }

  function body(bytes) {
    entry.hasBody = true;
    if (sha256(bytes).toString('base64') !== entry.bodyHash)
      find('CHANGED: the log has another event', entry);
    for (const one of kept)
      if (one.time !== undefined && !(timeOf(bytes) >= one.time) && one.late.length < MAX_FINDINGS)
        one.late.push(entry);
  }

  function prove([, leaf, hashes]) {
    entry.leaf = Number(leaf);
    if (entry.number === wanted) tlogProof = [`index ${leaf}`, ...hashes.split(' ').slice(1)].join('\n');
    if (entry.leaf - entry.seq < lead) find('its leaf number is too low', entry);
    lead = entry.leaf - entry.seq;
    const isLeaf = entry.leaf < head.size;
    const { root } = isLeaf ? climb(entry.leaf, head.size - 1, entry.hash, hashesOf(hashes)) : {};
    if (!root?.equals(head.root)) find('its proof does not lead to the root', entry);
    for (const one of kept) {
      const number = numberIn(one, entry);
      if (number !== undefined && entry.leaf < one.size !== number < one.count)
        find(`CONTRADICTION: ${one.name} counts ${one.count} entries`, entry);
      if (entry.leaf < one.size) one.late = [];
    }
  }

  function take(bytes) {
    line += 1;
    const text = bytes.length > 8192 ? '' : bytes.toString('latin1');
    if (line === 1)
      return text === `rps-evidence/1 ${head.subject}` || refuse('the first line is not that of the head');
    const isOpen = entry && entry.leaf === undefined && consistencies.size === 0;
    if (bytes.subarray(0, 5).equals(Buffer.from('body ')) && isOpen && !entry.hasBody)
      return body(bytes.subarray(5));
    if (ENTRY.test(text) && consistencies.size === 0) return enter(ENTRY.exec(text));
    if (PROOF.test(text) && isOpen) return prove(PROOF.exec(text));
    const [, size, hashes] = CONSISTENCY.exec(text) ?? [];
    if (!entry || size === undefined || consistencies.has(Number(size)))
      refuse(`line ${line} is malformed or out of place`);
    if (consistencies.size === MAX_CONSISTENCIES) refuse(`more than ${MAX_CONSISTENCIES} consistency lines`);
    return consistencies.set(Number(size), hashesOf(hashes));
  }

  function end() {
    if (!entry) refuse('the file has no entry');
    leave();
    const isLast = entry.number === head.last && entry.leafHash === head.leafHash;
    if (!isLast || entry.leaf === undefined)
      find(`is not entry ${head.last} of the head with its proof`, entry);
    const isWhole = head.kind === 'account' || (head.first === 0 && head.last === head.count - 1);
    if (!isWhole || head.last >= head.count || head.count > head.size) find('the head is impossible');
    for (const { name, size, root, kind, id, count, late } of kept) {
      const proof = consistencies.get(size) ?? (size === head.size ? [] : undefined);
      if (size > head.size) find(`${name} is newer than the file: size ${size}, not ${head.size}`);
      else if (!proof) find(`the file does not lead from ${name} on: export it with since=${size}`);
      else if (!isConsistent({ size, root }, head, proof)) find(`FORK: ${name} is of another log`);
      if (kind === head.kind && id === head.id && count > head.count)
        find(`CONTRADICTION: ${name} counts ${count} entries, the file ${head.count}`);
      for (const one of late) find(`LATE: was not in the log of ${name}`, one);
    }
  }

  return {
    take,
    end,
    withheld,
    tlogProof: () =>
      tlogProof && `c2sp.org/tlog-proof@v1\n${tlogProof}\n\n${Buffer.from(head.note, 'latin1')}`,
  };
}

const placeOf = ({ line, stream, revision }) => `line ${line}, stream ${stream} revision ${revision}`;

function inFile(path, act) {
  const fd = openSync(path, 'r');
  try {
    return act(fd, fstatSync(fd).size);
  } finally {
    closeSync(fd);
  }
}

/**
 * Checks one proof file, which holds if there are no findings.
 * @param kept `{ path, time }` of checkpoints, heads and older proof files; `time` in ms, if known
 * @param wanted number of the entry whose C2SP tlog-proof to return as `tlogProof`
 */
export function verify(path, { key, kept = [], wanted }) {
  const findings = [];
  const find = (reason, entry) => {
    findings.push(entry ? `${placeOf(entry)}: ${reason}` : reason);
    if (findings.length >= MAX_FINDINGS) refuse(`more than ${MAX_FINDINGS} findings`);
  };
  let [head, reader] = [];
  let reading = '';
  try {
    const known = kept.map(({ path: name, time }) => {
      reading = `${name}: `;
      const notes = inFile(name, (fd, size) => notesOf(fd, size, key));
      return { ...notes, name, late: [], ...(time === undefined ? {} : { time: time - CLOCK_ALLOWANCE }) };
    });
    reading = '';
    inFile(path, (fd, size) => {
      head = notesOf(fd, size, key);
      if (!head.note) refuse('this is a note, not a proof file');
      reader = readerOf(head, known, find, wanted);
      const digest = createHash('sha256');
      let at = 0;
      for (const line of linesOf(fd, head.headAt, digest))
        if ((at += line.length + 1) <= head.linesEnd) reader.take(line);
      if (digest.digest('base64') !== head.digest) find('the file is not the one that was signed');
      reader.end();
    });
  } catch (error) {
    findings.push(reading + error.message);
  }
  return {
    findings,
    subject: head?.subject,
    withheld: (reader?.withheld ?? []).map(placeOf),
    tlogProof: reader?.tlogProof(),
  };
}

function optionsOf(args) {
  const kinds = {
    vkey: { type: 'string' },
    kept: { type: 'string', multiple: true },
    'tlog-proof': { type: 'string' },
  };
  const { values, positionals } = parseArgs({ args, options: kinds, allowPositionals: true });
  const key =
    keyOf((values.vkey ?? '').trim()) ?? refuse('--vkey must be the key of the log, as NAME+HASH+BASE64');
  if (positionals.length !== 1) refuse('give one proof file');
  const kept = (values.kept ?? []).map((given) => {
    const [, path, text] = /^(.+)@([^@/]+)$/.exec(given) ?? [undefined, given];
    const time = text === undefined ? undefined : Date.parse(text);
    return Number.isNaN(time) ? refuse(`${text} is not a time`) : { path, time };
  });
  return { file: positionals[0], key, kept, wanted: values['tlog-proof'] && Number(values['tlog-proof']) };
}

/** @returns the exit code */
export function main(args) {
  let options;
  try {
    options = optionsOf(args);
  } catch (error) {
    console.error(error.message);
    return 2;
  }
  const { findings, withheld, subject, tlogProof } = verify(options.file, options);
  const holds = findings.length === 0;
  if (options.wanted !== undefined && holds) {
    process.stdout.write(tlogProof ?? '');
    return tlogProof ? 0 : 1;
  }
  if (holds) console.log(subject);
  if (withheld.length > 0) console.log(`withheld bodies: ${withheld.length}`);
  for (const place of withheld) console.log(`  ${place}`);
  for (const finding of findings) console.log(`FAILS ${finding}`);
  console.log(holds ? 'HOLDS' : 'DOES NOT HOLD');
  return holds ? 0 : 1;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  process.exitCode = main(process.argv.slice(2));
