#!/usr/bin/env node
// Not dist/src/cli/main.js itself: that file is made after npm has set its links, so it would not be executable.
import { build } from './build.mjs';

build();
// The client knows the service through HTTP alone; the doctor looks at the stores themselves, and is a program apart.
if (process.argv[2] === 'doctor') await import('../dist/src/composition/doctor/main.js');
else await import('../dist/src/cli/main.js');
