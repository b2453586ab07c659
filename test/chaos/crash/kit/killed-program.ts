import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs a module in a process of its own, which is killed this long after its first output unless it ends before.
 * @returns how long it worked since that output, in milliseconds
 */
export async function lifeOfProgram(
  program: string,
  killAfterMs: number | undefined,
): Promise<number | 'killed'> {
  const folder = mkdtempSync(join(tmpdir(), 'rps-program-'));
  // Not by --eval: its options would be those of worker threads, too.
  const file = join(folder, 'program.mjs');
  writeFileSync(file, program);
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  await Promise.race([once(child.stdout, 'data'), ended]);
  const began = performance.now();
  if (killAfterMs !== undefined) {
    await Promise.race([sleep(killAfterMs), ended]);
    child.kill('SIGKILL');
  }
  const [code, signal] = await ended;
  rmSync(folder, { recursive: true });
  if (signal === 'SIGKILL') return 'killed';
  expect(code).toBe(0);
  return performance.now() - began;
}
