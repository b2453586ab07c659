import type { IgnoredOption, PrintOptions } from '../service/protocol.js';
import { NotSubmitted } from './provider.js';

/**
 * Refuses a document with an option that the printer cannot apply, unless the job says `ignore`.
 * @returns `unsupported`, for the receipt
 * @throws NotSubmitted `OPTION_NOT_SUPPORTED`, permanent
 */
export function settleUnsupported(
  options: PrintOptions | undefined,
  unsupported: readonly IgnoredOption[],
): IgnoredOption[] {
  if (unsupported.length > 0 && options?.unsupported !== 'ignore') {
    const reasons = unsupported.map(({ option, reason }) => `${option}: ${reason}`).join('; ');
    throw new NotSubmitted('OPTION_NOT_SUPPORTED', reasons, 'permanent');
  }
  return [...unsupported];
}
