import type { PrintJob } from '../../sdk/src/generated/integration.js';
import { duration } from '../look/times.js';

const BEHIND_MS = 5 * 60_000;
const AT_THE_AGENT: readonly string[] = ['accepted_by_agent', 'sent_to_spooler'];

/** When the oldest of jobs in the order of printing began to wait; undefined if none waits. */
export const waitingSince = (items: readonly PrintJob[]): string | undefined =>
  items.find(({ status }) => !AT_THE_AGENT.includes(status))?.updated_at;

/** For how long a printer has been behind, as in `34 min`; undefined if it is not. */
export function behindFor(since: string | undefined): string | undefined {
  const waited = since === undefined ? 0 : Date.now() - Date.parse(since);
  return waited > BEHIND_MS ? duration(waited) : undefined;
}
