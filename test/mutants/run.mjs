/**
 * Shows that each hand-made fault fails the named test: `npm run test:mutants [part of a name]`. Works on a
 * copy of the tree, one mutant at a time.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { clearTimeout, setTimeout } from 'node:timers';
import { mutants } from './mutants.mjs';

const COPIED = [
  'src',
  'projections',
  'agent',
  'test',
  'docs',
  'package.json',
  'tsconfig.json',
  'jest.config.mjs',
];
const MAX_MS = 180_000;

/** @returns {Promise<'pass' | 'fail' | 'broken' | 'hung'>} result of the tests; broken: they could not run */
async function run(folder, { test, only }) {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const jest = 'node_modules/jest/bin/jest.js';
  const args = [jest, test, ...(only ? ['-t', only] : []), '--json', `--outputFile=${report}`];
  const child = spawn(process.execPath, args, {
    cwd: folder,
    stdio: 'ignore',
    env: { ...process.env, RUNS: '200', JOBS: '200' },
  });
  const hung = setTimeout(() => child.kill('SIGKILL'), MAX_MS);
  const [, signal] = await new Promise((done) => child.once('exit', (...how) => done(how)));
  clearTimeout(hung);
  if (signal === 'SIGKILL') return 'hung';
  const { numFailedTests, numPassedTests, numRuntimeErrorTestSuites } = JSON.parse(
    readFileSync(report, 'utf8'),
  );
  if (numRuntimeErrorTestSuites > 0 || numFailedTests + numPassedTests === 0) return 'broken';
  return numFailedTests > 0 ? 'fail' : 'pass';
}

/** The test must pass without the fault and fail with it. */
async function judge(folder, mutant) {
  const path = join(folder, mutant.file);
  const sound = readFileSync(path, 'utf8');
  if (sound.split(mutant.find).length !== 2) return `does not fit ${mutant.file} any more`;
  const before = await run(folder, mutant);
  if (before !== 'pass') return `its test does not pass without it (${before})`;
  writeFileSync(
    path,
    sound.replace(mutant.find, () => mutant.put),
  );
  const after = await run(folder, mutant);
  writeFileSync(path, sound);
  return after === 'fail' ? 'caught' : `SURVIVED (${after})`;
}

const folder = mkdtempSync(join(tmpdir(), 'rps-mutants-'));
let missed = 0;
try {
  for (const part of COPIED) cpSync(resolve(part), join(folder, part), { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const chosen = mutants.filter(({ name }) => name.includes(process.argv[2] ?? ''));
  for (const mutant of chosen) {
    const began = Date.now();
    const verdict = await judge(folder, mutant);
    if (verdict !== 'caught') missed++;
    const seconds = ((Date.now() - began) / 1000).toFixed(0).padStart(4);
    process.stdout.write(`${seconds} s  ${mutant.name.padEnd(52)}  ${verdict.padEnd(8)}  ${mutant.test}\n`);
  }
  process.stdout.write(`${chosen.length - missed} of ${chosen.length} mutants caught\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = missed > 0 ? 1 : 0;
