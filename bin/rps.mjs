#!/usr/bin/env node
// Not dist/src/cli/main.js itself: that file is made after npm has set its links, so it would not be executable.
import { build } from './build.mjs';

build();
await import('../dist/src/cli/main.js');
