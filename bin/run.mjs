import path from 'node:path';
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from './build.mjs';

// node bin/run.mjs <entry below dist> [arguments…]: builds if needed, then runs that program in this very
// process, so that it receives signals and sets the exit code.
const [entry, ...args] = process.argv.slice(2);
if (!entry) {
  process.stderr.write('usage: node bin/run.mjs <entry below dist> [arguments…]\n');
  process.exit(64);
}
build();
const file = fileURLToPath(new URL(`../dist/${entry}`, import.meta.url));
if (!existsSync(file)) {
  process.stderr.write(`${path.relative(process.cwd(), file)} does not exist\n`);
  process.exit(66);
}
if (process.env.npm_lifecycle_event) endWithParent();
process.argv.splice(1, process.argv.length - 1, file, ...args);
await import(pathToFileURL(file).href);

/** npm sends SIGTERM to a shell, and dash dies of it without forwarding: treat a lost parent as SIGTERM. */
function endWithParent() {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 200);
  watch.unref();
}
