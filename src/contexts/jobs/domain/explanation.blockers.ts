import type { RecordedEvent } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';
import type { Cause } from './explanation.words.js';
import { isHeld } from './job.rules.js';
import type { Job } from './job.state.js';

/** What the service knows beside the events of the job. */
export interface Circumstances {
  readonly now: Instant;
  readonly accountStatus: string;
  readonly isPlanUsedUp: boolean;
  readonly computer: { readonly name: string; readonly status: string; readonly takesOptions: boolean };
  readonly printer: {
    readonly printerId: string;
    /** Undefined if its computer does not name it. */
    readonly printerKey?: string;
    readonly name: string;
    readonly status: string;
    readonly isPaused: boolean;
    /** Why it makes no progress, as its Agent says. */
    readonly trouble?: string;
  };
  /** Of the Agent. */
  readonly lastError?: { readonly code: string; readonly message: string; readonly at: Instant };
  /** Jobs that wait for the same printer and come first; counted to `MAX_AHEAD` and one more. */
  readonly ahead: number;
  /** Newest events of account and computer, oldest first: where evidence is looked for. */
  readonly newest: readonly RecordedEvent[];
}

export const MAX_AHEAD = 100;

/** What holds a job up. */
export interface Blocker {
  readonly cause: Cause;
  readonly text: string;
  /** Undefined if it is not among the newest. */
  readonly event: RecordedEvent | undefined;
}

type Words = readonly [Cause, string];
type ByStatus = Readonly<Record<string, Words>>;

const OF_COMPUTER: ByStatus = {
  revoked: ['computer_revoked', 'is revoked.'],
  pending: ['agent_not_started', 'is enrolled, but its Agent has not started since.'],
  disabled: ['computer_disabled', 'is disabled.'],
  offline: ['computer_offline', 'is offline.'],
};
const OF_PRINTER: ByStatus = {
  removed: ['printer_removed', 'is no longer among the printers of its computer.'],
  disabled: ['printer_disabled', 'is disabled.'],
  offline: ['printer_offline', 'is offline.'],
};

/** What puts a computer into a status. */
const COMPUTER_CHANGES: Readonly<Record<string, readonly string[]>> = {
  revoked: ['ComputerRevoked'],
  pending: ['ComputerRegistered', 'ComputerReenrolled', 'ComputerEnabled'],
  disabled: ['ComputerDisabled'],
  offline: ['ComputerWentOffline'],
};
const PRINTER_CHANGES = ['PrinterDetected', 'PrinterWentOffline', 'PrinterDisabled', 'PrinterRemoved'];

/** `out of paper`, `media-empty`, `NO_PAPER`: printers have no common words. */
const PAPER = /(paper|media)[-_ ]?(out|empty|needed)|(out[-_ ]of|no)[-_ ](paper|media)/i;

export const isPaper = (said: string) => PAPER.test(said);

/** The most general blocker: a printer is offline because its computer is. */
export function blockerOf(circumstances: Circumstances, job: Job): Blocker | undefined {
  // What the computer has already is printed in spite of a suspension, a pause and the like.
  const waits = !isHeld(job.status);
  const ofOthers = waits ? inAccount(circumstances) : undefined;
  const { computer, newest } = circumstances;
  const found = ofOthers ?? atComputer(circumstances, waits) ?? atPrinter(circumstances, waits);
  if (found || !waits || !job.options || computer.takesOptions) return found;
  const text = `The Agent of “${computer.name}” knows no options.`;
  return { cause: 'agent_too_old', text, event: newest.findLast(isOf('AgentSessionStarted')) };
}

function inAccount({ accountStatus, newest }: Circumstances): Blocker | undefined {
  if (accountStatus === 'active') return undefined;
  const event = newest.findLast(isOf('AccountSuspended', 'AccountClosed'));
  return { cause: 'account_not_active', text: `The account is ${accountStatus}.`, event };
}

function atComputer({ computer: { name, status }, newest }: Circumstances, waits: boolean) {
  const found = OF_COMPUTER[status];
  if (!found || (status === 'disabled' && !waits)) return undefined;
  const [cause, text] = found;
  const event = newest.findLast(isOf(...(COMPUTER_CHANGES[status] ?? [])));
  return { cause, text: `“${name}” ${text}`, event };
}

function atPrinter({ printer, newest }: Circumstances, waits: boolean): Blocker | undefined {
  const { printerId, printerKey, name, status, isPaused, trouble } = printer;
  const of = ([cause, text]: Words, event: RecordedEvent | undefined): Blocker => ({
    ...{ cause, text: `“${name}” ${text}`, event },
  });
  const newestOf = (...types: readonly string[]) =>
    newest.findLast((event) => isOf(...types)(event) && (event.data as OfPrinter).printerId === printerId);
  const found = OF_PRINTER[status];
  if (found && status !== 'offline' && waits) return of(found, newestOf(...PRINTER_CHANGES));
  if (isPaused && waits) {
    const isPause = ({ data }: RecordedEvent) =>
      (data as OfPrinter).printerId === printerId && (data as OfPrinter).changes?.paused === true;
    return of(['printer_paused', 'is paused.'], newest.findLast(isPause));
  }
  if (trouble !== undefined) {
    const cause = isPaper(trouble) ? 'out_of_paper' : 'printer_stuck';
    return of([cause, `cannot print: “${trouble}”.`], startOfTrouble(newest, printerKey));
  }
  return found && status === 'offline' ? of(found, newestOf(...PRINTER_CHANGES)) : undefined;
}

/** The first of the last reports in a row that name the printer. */
function startOfTrouble(newest: readonly RecordedEvent[], printerKey: string | undefined) {
  const reports = newest.filter(isOf('AgentHealthChanged'));
  const names = ({ data }: RecordedEvent) =>
    (data as OfHealth).stuckPrinters?.some((one) => one.printerKey === printerKey);
  return reports[reports.findLastIndex((report) => !names(report)) + 1];
}

interface OfHealth {
  readonly stuckPrinters?: readonly { readonly printerKey: string }[];
}

interface OfPrinter {
  readonly printerId?: string;
  readonly changes?: { readonly paused?: boolean };
}

const isOf =
  (...types: readonly string[]) =>
  ({ type }: RecordedEvent) =>
    types.includes(type);
