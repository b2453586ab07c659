import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { nodeArgs } from './node-args.js';

/** Runs a program of the bench in a separate process; resolves to its report. */
export function runProgram<A, R>(entry: string, given: A): Promise<R> {
  const file = fileURLToPath(new URL(`../${entry}`, import.meta.url));
  const child = fork(file, [JSON.stringify(given)], { serialization: 'advanced', execArgv: nodeArgs() });
  return new Promise<R>((resolve, reject) => {
    let report: R | undefined;
    child.once('message', (message) => (report = message as R));
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      if (report !== undefined && code === 0) resolve(report);
      else reject(new Error(`${entry} ended with ${signal ?? code}`));
    });
  });
}

/** Parameters of the current program, as passed to `runProgram`. */
export const given = <A>(): A => JSON.parse(process.argv[2] ?? '{}') as A;

export function report<R>(result: R): void {
  process.send?.(result);
}
