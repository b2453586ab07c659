import { spawn } from 'node:child_process';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./sim.mjs', import.meta.url));

/** Runs the simulation in a process of its own, whose clock and timers it replaces. */
export async function runSimulation(...args: string[]) {
  const child = spawn(process.execPath, ['--max-semi-space-size=64', PROGRAM, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => void child.once('exit', (code) => resolve(code)));
  const [text, errors, code] = await Promise.all([textOf(child.stdout), textOf(child.stderr), ended]);
  const violations = [...text.matchAll(/^VIOLATION of .*$/gm)].map(([line]) => line);
  if (code !== 0 && violations.length === 0)
    throw new Error(`the simulation ended with ${code}: ${text}${errors}`);
  return {
    code,
    violations,
    text,
    hashes: [...text.matchAll(/hash ([0-9a-f]{16})/g)].map(([, hash]) => hash),
  };
}
