import type { Document } from './bson/compose.js';
import { ServerError } from './server-error.js';
import type { Command } from './wire/messages.js';

export interface Failure {
  /** Commands by name; all when left out. */
  readonly commands?: readonly string[];
  /** Of this collection alone. */
  readonly collection?: string;
  /** Reads with this level alone. */
  readonly readConcern?: string;
  readonly times: number;
  readonly code: number;
  readonly codeName: string;
  readonly message: string;
  readonly labels?: readonly string[];
}

/** Where a test stops the server for a client that dies: at its n-th write to a collection, carried out or not. */
export interface StopPoint {
  readonly collection: string;
  readonly write: number;
  readonly carriedOut: boolean;
}

interface Stop extends StopPoint {
  left: number;
  /** Nothing is carried out or answered any more. */
  isReached: boolean;
  readonly end: (isReached: boolean) => void;
  readonly ended: Promise<boolean>;
}

const levelOf = ({ args }: Command) => (args['readConcern'] as Document | undefined)?.['level'] as unknown;

const concerns = ({ commands, collection, readConcern }: Failure, command: Command) =>
  (commands ?? [command.name]).includes(command.name) &&
  (collection ?? command.args[command.name]) === command.args[command.name] &&
  (readConcern ?? levelOf(command)) === levelOf(command);

const WRITES = [
  ...['insert', 'update', 'delete', 'findAndModify', 'commitTransaction', 'create', 'createIndexes'],
  ...['drop', 'dropIndexes', 'dropDatabase', 'renameCollection'],
];
const READS = ['find', 'count', 'distinct', 'aggregate', 'listCollections', 'listIndexes'];

const isHello = ({ name }: Command) => /^(hello|ismaster)$/i.test(name);
export const isWrite = ({ name }: Command) => WRITES.includes(name);

/** What a test makes go wrong. */
export class Faults {
  /** Replies wait this long, in ms. */
  slowMs = 0;
  /** Upserts that lose a race: somebody else inserts the document just before. */
  duplicates = 0;
  /** Writes that are carried out and never answered: their connection closes. */
  lostReplies = 0;
  /** Writes whose connection closes before they are carried out. */
  lostRequests = 0;
  /** Commands that failed because a test said so. */
  refused = 0;
  /** Whether `hello` calls this server a secondary. */
  isSecondary = false;
  /** It takes itself for the primary and has heard of no write: a find sees nothing. */
  isCutOff = false;
  private failures: { left: number; failure: Failure }[] = [];
  private hanging: { until: Promise<void>; release: () => void } | undefined;
  private stop: Stop | undefined;

  fail(failure: Failure): void {
    this.failures.push({ left: failure.times, failure });
  }

  hang(): void {
    let release = () => {};
    const until = new Promise<void>((resolve) => (release = resolve));
    this.hanging ??= { until, release };
  }

  stopAt(point: StopPoint): void {
    let end: Stop['end'] = () => {};
    const ended = new Promise<boolean>((resolve) => (end = resolve));
    this.stop = { ...point, left: point.write, isReached: false, end, ended };
  }

  /** Resolves to true when the server stops; to false if it was cleared before. */
  async whenStopped(): Promise<boolean> {
    return this.stop?.ended ?? false;
  }

  /** Whether the command goes no further. What a stop has swallowed never happens. @param isDone carried out already */
  stops(command: Command, isDone: boolean): boolean {
    const { stop } = this;
    if (!stop || isHello(command)) return false;
    const isThere =
      isWrite(command) && command.args[command.name] === stop.collection && isDone === stop.carriedOut;
    if (!stop.isReached && isThere && --stop.left === 0) {
      stop.isReached = true;
      stop.end(true);
    }
    return stop.isReached;
  }

  /** What hangs is carried out now. */
  clear(): void {
    this.stop?.end(false);
    this.stop = undefined;
    this.hanging?.release();
    this.hanging = undefined;
    this.failures = [];
    this.slowMs = this.duplicates = this.lostReplies = this.lostRequests = 0;
    this.isSecondary = this.isCutOff = false;
  }

  /** Monitoring goes on while the rest hangs: a server that is alive and stuck. */
  whileHanging(command: Command): Promise<void> | undefined {
    return isHello(command) ? undefined : this.hanging?.until;
  }

  /** Throws instead of the command, before anything is written. */
  before(command: Command): void {
    if (this.isSecondary) refuseOnSecondary(command);
    if (this.isCutOff && levelOf(command) === 'linearizable') throw notLinearizable();
    const found = this.failures.find(({ left, failure }) => left > 0 && concerns(failure, command));
    if (!found) return;
    found.left--;
    this.refused++;
    const { codeName, message, code, labels } = found.failure;
    throw new ServerError(codeName, message, {}, code, labels ?? retryable(command, code));
  }

  notPrimary(times: number): void {
    const { code, codeName, message } = notWritable();
    this.fail({ commands: WRITES, times, code, codeName, message });
  }

  losesRace(): boolean {
    return this.duplicates > 0 && this.duplicates-- > 0;
  }

  losesRequest(command: Command): boolean {
    return isWrite(command) && this.lostRequests > 0 && this.lostRequests-- > 0;
  }

  losesReply(command: Command): boolean {
    return isWrite(command) && this.lostReplies > 0 && this.lostReplies-- > 0;
  }
}

/** https://github.com/mongodb/specifications/blob/master/source/server-discovery-and-monitoring/server-discovery-and-monitoring.md#not-writable-primary-and-node-is-recovering */
function notWritable(command?: Command): ServerError {
  const labels = command ? retryable(command, 10107) : [];
  return new ServerError('NotWritablePrimary', 'not primary', {}, undefined, labels);
}

/** Errors after which the same write may be sent again, to another server or to this one. */
const RETRYABLE = [11600, 11602, 10107, 13435, 13436, 189, 91, 7, 6, 89, 9001, 262];

/** The server labels retryable writes alone, those with a transaction number: retryable-writes.md#determining-retryable-errors */
const retryable = ({ args }: Command, code: number): string[] =>
  'txnNumber' in args && RETRYABLE.includes(code) ? ['RetryableWriteError'] : [];

/** Nobody else confirms that it is the primary still: https://www.mongodb.com/docs/manual/reference/read-concern-linearizable/ */
const notLinearizable = () =>
  new ServerError('LinearizableReadConcernError', 'Failed to confirm that read was linearizable.', {}, 187);

/** A secondary reads for those who say that they may read there: https://www.mongodb.com/docs/manual/core/read-preference/ */
function refuseOnSecondary(command: Command): void {
  if (isWrite(command)) throw notWritable(command);
  const preference = command.args['$readPreference'] as Document | undefined;
  if (READS.includes(command.name) && (preference?.['mode'] ?? 'primary') === 'primary')
    throw new ServerError('NotPrimaryNoSecondaryOk', 'not primary and secondaryOk=false');
}
