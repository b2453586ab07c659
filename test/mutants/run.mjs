/**
 * Shows that each hand-made fault fails the named spec: `npm run test:mutants [parts of names or paths]`. Works on a copy
 * of the tree: all specs first, which must pass, then one fault at a time.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { clearTimeout, setTimeout } from 'node:timers';
import { mutants } from './all.mjs';

/** Specs run the build of threads, stand-ins and Agents, which has no faults. */
const LINKED = ['node_modules', 'dist'];
const LEFT_OUT = new Set(['.git', ...LINKED]);
const MAX_MS = 180_000;
/** More random runs than in `npm test`, so that a fault is found by each seed. */
const RUNS = { RUNS: '200' };

/** @returns Jest's report; undefined if the run hangs */
async function report(folder, args, maxMs, env = {}) {
  const file = join(folder, 'report.json');
  rmSync(file, { force: true });
  const child = spawn(
    process.execPath,
    ['node_modules/jest/bin/jest.js', ...args, '--json', `--outputFile=${file}`],
    { cwd: folder, stdio: 'ignore', env: { ...process.env, ...env } },
  );
  const hung = setTimeout(() => child.kill('SIGKILL'), maxMs);
  const [, signal] = await new Promise((done) => child.once('exit', (...how) => done(how)));
  clearTimeout(hung);
  return signal === 'SIGKILL' ? undefined : JSON.parse(readFileSync(file, 'utf8'));
}

/** @returns the specs that do not pass without a fault */
async function unsound(folder, specs) {
  const { testResults = [] } = (await report(folder, specs, 10 * MAX_MS)) ?? {};
  const passed = testResults.filter(({ status }) => status === 'passed').map(({ name }) => name);
  return new Set(specs.filter((spec) => !passed.some((name) => name.endsWith(`/${spec}`))));
}

async function judge(folder, { file, find, put, test, only }) {
  const path = join(folder, file);
  const sound = readFileSync(path, 'utf8');
  if (sound.split(find).length !== 2) return `does not fit ${file} any more`;
  writeFileSync(
    path,
    sound.replace(find, () => put),
  );
  const found = await report(
    folder,
    ['--runInBand', '--forceExit', '--testTimeout=30000', test, ...(only ? ['-t', only] : [])],
    MAX_MS,
    RUNS,
  );
  writeFileSync(path, sound);
  if (!found) return 'SURVIVED (hung)';
  const { numFailedTests, numPassedTests, numRuntimeErrorTestSuites } = found;
  if (numRuntimeErrorTestSuites > 0 || numFailedTests + numPassedTests === 0) return 'SURVIVED (broken)';
  return numFailedTests > 0 ? 'caught' : 'SURVIVED';
}

const folder = mkdtempSync(join(tmpdir(), 'rps-mutants-'));
let missed = 0;
try {
  for (const part of readdirSync('.').filter((name) => !LEFT_OUT.has(name)))
    cpSync(resolve(part), join(folder, part), { recursive: true });
  for (const part of LINKED) symlinkSync(resolve(part), join(folder, part));
  const [, , ...parts] = process.argv;
  const isAsked = (text) => parts.length === 0 || parts.some((part) => text.includes(part));
  const chosen = mutants.filter(({ name, file }) => isAsked(`${file}: ${name}`));
  const specs = [...new Set(chosen.map(({ test }) => test))];
  process.stdout.write(`${specs.length} specs without a fault …\n`);
  const failing = await unsound(folder, specs);
  for (const mutant of chosen) {
    const { name, test } = mutant;
    const began = Date.now();
    const verdict = failing.has(test) ? 'its spec does not pass without it' : await judge(folder, mutant);
    if (verdict !== 'caught') missed++;
    const seconds = ((Date.now() - began) / 1000).toFixed(0).padStart(4);
    process.stdout.write(`${seconds} s  ${name.padEnd(62)}  ${verdict.padEnd(8)}  ${test}\n`);
  }
  process.stdout.write(`${chosen.length - missed} of ${chosen.length} mutants caught\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = missed > 0 ? 1 : 0;
