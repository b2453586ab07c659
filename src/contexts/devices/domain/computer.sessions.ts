import type { NoteReplacedSession, ReportUnknownJobs } from './computer.commands.js';
import type { ComputerEvent } from './computer.events.js';
import { unknownJobKey, type KnownComputer } from './computer.state.js';

const UNKNOWN_JOBS_KEPT = 100;

/** Stores one event per remembered session, so repeated calls of a clone write nothing. */
export function noteReplaced(computer: KnownComputer, { sessionId }: NoteReplacedSession): ComputerEvent[] {
  const silent = computer.replaced.some((one) => one.sessionId === sessionId && one.silent);
  return silent ? [{ type: 'ReplacedSessionCalled', data: { sessionId } }] : [];
}

/** Keeps the first 100 of a computer, each job and fence once. */
export function reportUnknown(computer: KnownComputer, { jobs }: ReportUnknownJobs): ComputerEvent[] {
  const fresh = new Map(jobs.map((job) => [unknownJobKey(job), job]));
  for (const key of computer.unknownJobs) fresh.delete(key);
  const room = Math.max(0, UNKNOWN_JOBS_KEPT - computer.unknownJobs.length);
  return [...fresh.values()].slice(0, room).map((data) => ({ type: 'UnknownJobReported', data }));
}
