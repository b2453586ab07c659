import { parseArgs } from 'node:util';
import { EX_CONFIG, EX_USAGE, type Refusal } from './exit-codes.js';
import { FEWEST_FILES, openFileLimit, raiseLimit } from './file-limit.js';

export interface StartOptions {
  /** `--new`, the same as NEW_STORE=true. */
  readonly newStore: boolean;
}

/** Checks what must hold before the program is loaded: with too few files its modules cannot be read. */
export function beforeLoading(
  args: readonly string[],
): { readonly refusal: Refusal } | { readonly options: StartOptions } {
  const limit = openFileLimit();
  if (limit !== undefined && limit < FEWEST_FILES) {
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
