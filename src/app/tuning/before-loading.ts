import { parseArgs } from 'node:util';
import { EX_CONFIG, EX_USAGE, type Refusal } from '../exit-codes.js';
import { MIN_FILES, openFileLimit, raiseLimit } from './file-limit.js';

export interface StartOptions {
  /** `--new`, the same as NEW_STORE=true. */
  readonly newStore: boolean;
}

/** Checks the file limit and the arguments before loading the program: a low file limit makes module loading fail. */
export function beforeLoading(
  args: readonly string[],
): { readonly refusal: Refusal } | { readonly options: StartOptions } {
  const limit = openFileLimit();
  if (limit !== undefined && limit < MIN_FILES) {
    return { refusal: { code: EX_CONFIG, sentence: raiseLimit(limit) } };
  }
  try {
    const { values } = parseArgs({ args: [...args], options: { new: { type: 'boolean', default: false } } });
    return { options: { newStore: values.new } };
  } catch (error) {
    const sentence = `${(error as Error).message} (the only option is --new; all else is set by environment)`;
    return { refusal: { code: EX_USAGE, sentence } };
  }
}
