import type { Randomness } from '../../ports/randomness.port.js';

const TRIES = 20;

/** `PC-` or `PR-` and 8 upper-case hex characters that nobody in the account has yet. */
export async function codeFrom(
  randomness: Randomness,
  prefix: 'PC' | 'PR',
  isTaken: (code: string) => Promise<boolean>,
): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const code = `${prefix}-${Buffer.from(randomness.bytes(4)).toString('hex').toUpperCase()}`;
    if (attempt === TRIES || !(await isTaken(code))) return code;
  }
}
