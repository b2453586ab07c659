import { isatty } from 'node:tty';
import { pino, type Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import { closeLostTerminalsAtExit, LineOutput, nonBlocking } from './system/line-output.js';
import type { Config } from '../config.js';
import { hideCredentials } from '../kernel/credential.js';
import type { Milliseconds } from '../kernel/time.js';

/** A slower reader of the log misses the last lines. */
const FLUSH_MS: Milliseconds = 1_000;

/** stdout carries only the ready line. Neither output blocks nor fails. */
export interface Outputs {
  readonly stdout: LineOutput;
  readonly stderr: LineOutput;
}

export function openOutputs(registry: Registry): Outputs {
  closeLostTerminalsAtExit();
  const dropped = new Counter({
    name: 'rps_log_lines_dropped_total',
    help: 'Log lines that stderr did not take.',
    registers: [registry],
  });
  return {
    stdout: new LineOutput(nonBlocking(1)),
    stderr: new LineOutput(nonBlocking(2), (lines) => dropped.inc(lines)),
  };
}

export async function flushOutputs({ stdout, stderr }: Outputs): Promise<void> {
  await Promise.all([stdout.flush(FLUSH_MS), stderr.flush(FLUSH_MS)]);
}

/** Pretty on a terminal, JSON elsewhere. Credentials are removed from every line. */
export async function loggerFor({ logLevel }: Config, { stderr }: Outputs): Promise<Logger> {
  const logger = pino(
    { level: logLevel, base: undefined, hooks: { streamWrite: hideCredentials } },
    isatty(2) ? await prettyOn(stderr) : stderr,
  );
  stderr.onRecovered = (dropped) => logger.warn({ dropped }, 'log lines were dropped: stderr took none');
  return logger;
}

/** Loaded on demand: saves its memory without a terminal. */
async function prettyOn(output: LineOutput) {
  const { default: pretty } = await import('pino-pretty');
  const format = pretty.prettyFactory({});
  return { write: (line: string) => output.write(format(line) ?? line) };
}
