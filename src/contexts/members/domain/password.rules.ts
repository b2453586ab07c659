import { COMMON_PASSWORDS } from './common-passwords.js';

export const PASSWORD_MIN_LENGTH = 15;
export const PASSWORD_MAX_LENGTH = 128;
const LEAST_DIFFERENT = 5;

export type PasswordProblem = 'length' | 'repetition' | 'name' | 'common';

/** Keyboards may encode the same characters differently. */
export const normalPassword = (password: string): string => password.normalize('NFC');

/**
 * Requires no kinds of characters (NIST SP 800-63B-4, 3.1.1.2). @param names of the member and the account
 */
export function passwordProblem(password: string, names: readonly string[]): PasswordProblem | undefined {
  const characters = [...password];
  if (characters.length < PASSWORD_MIN_LENGTH || characters.length > PASSWORD_MAX_LENGTH) return 'length';
  if (new Set(characters).size < LEAST_DIFFERENT) return 'repetition';
  const lower = password.toLowerCase();
  if (names.some((name) => lower.includes(name.toLowerCase()))) return 'name';
  return COMMON_PASSWORDS.has(lower) ? 'common' : undefined;
}
