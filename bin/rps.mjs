#!/usr/bin/env node
// Not dist/cli/rps.js itself: it is built after npm has set its links, so it would not be executable.
import { createRequire } from 'node:module';
import { build } from './build.mjs';

build();
// The client reaches the service over HTTP only; these programs open the stores themselves.
const PROGRAMS = { doctor: 'doctor', backup: 'backup', restore: 'backup', compact: 'backup' };
let word = 2;
while (process.argv[word]?.startsWith('--')) word += /=|^--json$/.test(process.argv[word]) ? 1 : 2;
const program = PROGRAMS[process.argv[word]];
// They print JSON anyway.
if (program) process.argv = process.argv.filter((arg, n) => n >= word || arg !== '--json');
if (process.argv[word] === 'evidence' && process.argv[word + 1] === 'verify') {
  // The same file that an auditor has, which knows nothing of the service.
  const { main } = await import('../verifier/verify.mjs');
  process.exitCode = main(process.argv.slice(word + 2));
} else if (process.argv[word] === 'mcp') {
  const { mcp } = await import('../dist/mcp/program.js');
  const { version } = createRequire(import.meta.url)('../package.json');
  process.exitCode = await mcp(process.argv.slice(word + 1), version);
} else await import(program ? `../dist/src/operations/${program}/main.js` : '../dist/cli/rps.js');
