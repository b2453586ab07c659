import { writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { EX_CONFIG, EX_USAGE, type Refusal } from '../exit-codes.js';
import { MIN_FILES, openFileLimit, raiseLimit } from './file-limit.js';

export interface StartOptions {
  readonly newStore: boolean;
}

/** Exits for wrong arguments, and for a low file limit, which makes module loading fail. */
export function optionsOf(args: readonly string[]): StartOptions {
  const limit = openFileLimit();
  if (limit !== undefined && limit < MIN_FILES) return exit({ code: EX_CONFIG, sentence: raiseLimit(limit) });
  try {
    const { values } = parseArgs({ args: [...args], options: { new: { type: 'boolean', default: false } } });
    return { newStore: values.new };
  } catch (error) {
    const sentence = `${(error as Error).message} (the only option is --new; all else is set by environment)`;
    return exit({ code: EX_USAGE, sentence });
  }
}

function exit({ code, sentence }: Refusal): never {
  writeSync(2, `${sentence}\n`);
  process.exit(code);
}

/** From this call on, SIGTERM and SIGINT no longer end the process themselves. */
export function shutdownSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}
