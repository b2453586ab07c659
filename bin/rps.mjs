#!/usr/bin/env node
// Not dist/src/cli/main.js itself: that file is made after npm has set its links, so it would not be executable.
import { build } from './build.mjs';

build();
// The client knows the service through HTTP alone; these programs work on the stores themselves.
const PROGRAMS = { doctor: 'doctor', backup: 'backup', restore: 'backup' };
let word = 2;
while (process.argv[word]?.startsWith('--')) word += process.argv[word].includes('=') ? 1 : 2;
const program = PROGRAMS[process.argv[word]];
await import(program ? `../dist/src/app/${program}/main.js` : '../dist/src/cli/main.js');
