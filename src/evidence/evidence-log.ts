import { setImmediate } from 'node:timers/promises';
import { KeyedMutex } from '../async/keyed-mutex.js';
import { CoalescedRun, RepeatedRun } from '../async/repeated-run.js';
import type { EventStore } from '../event-sourcing/index.js';
import { ConcurrencyError } from '../kernel/errors.js';
import type { Randomness } from '../kernel/ids.js';
import type { Origin } from '../kernel/recorded-event.js';
import { elapsed, type Clock, type Instant, type Milliseconds } from '../kernel/time.js';
import { auditLog, type Audit } from './audit.js';
import { objectIn } from './entry.js';
import { EVIDENCE_STREAM, LOSS_STREAMS, type EvidenceEvent } from './evidence.events.js';
import { LogBuilder, type LogSources } from './log-builder.js';
import { progressOf, type Halt, type LogState, type Progress } from './progress.js';
import type { NoteKey } from './signed-note.js';
import { StoredLog } from './stored-log.js';
import { rootOf } from './tree.js';

export interface EvidenceOptions {
  readonly sources: LogSources;
  /** Default: builds in this thread. */
  readonly builder?: Pick<LogBuilder, 'advance'> | undefined;
  readonly events: Pick<EventStore, 'append'>;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly key: NoteKey;
  /** Begins the origin of new logs. */
  readonly host: string;
  /** Between two checkpoints; 0: only on request. */
  readonly interval: Milliseconds;
  /** Once for each halt. */
  readonly onHalt: (halt: Halt) => void;
  readonly onError: (error: unknown) => void;
}

const PAUSE_MS: Milliseconds = 1_000;
/** A log that differs is built anew this often, which shows whether its events were repaired. */
const RECHECK_MS: Milliseconds = 3_600_000;
/** A stop that is further behind does not publish. */
const PAGES_OF_STOP = 16;
const TURN = 'log';

/** Builds the log of all events, and publishes its state in the log's own stream. */
export class EvidenceLog {
  private readonly builder: Pick<LogBuilder, 'advance'>;
  private readonly turns = new KeyedMutex();
  private readonly loop: RepeatedRun;
  private recheckedAt: number | undefined;
  private halted: string | undefined;
  private readonly audits: CoalescedRun<Audit>;
  /** Findings of the last audit of this instance. */
  auditFindings: number | undefined;

  constructor(private readonly options: EvidenceOptions) {
    this.builder = options.builder ?? new LogBuilder(options.sources);
    this.audits = new CoalescedRun(() => auditLog(options.sources));
    const { clock, onError } = options;
    this.loop = new RepeatedRun(
      (signal) => this.turns.run(TURN, () => this.run(signal)),
      PAUSE_MS,
      clock,
      onError,
    );
  }

  start(): void {
    if (this.options.interval > 0) this.loop.start();
  }

  /** Publishes what is new. */
  async stop(): Promise<void> {
    if (this.options.interval === 0) return;
    await this.loop.stop();
    const last = async () => {
      const progress = await this.read({ pages: PAGES_OF_STOP });
      if (progress.isAtEnd) await this.publishNew(progress);
    };
    await this.turns.run(TURN, last).catch(this.options.onError);
  }

  /** How far the log is built and published, by any instance. */
  async progress(): Promise<Progress> {
    return progressOf(await this.options.sources.hashes.progress());
  }

  /** Resolves once the checkpoint of all events before the call can be served, or the log halts. */
  publish(by?: Origin): Promise<Progress> {
    return this.turns.run(TURN, async () => this.publishNew(await this.read({}), by));
  }

  /** Begins a log with a new origin, which ends a halt. Does nothing without logged events or before an unreadable one. */
  startNewLog(by?: Origin): Promise<Progress> {
    return this.turns.run(TURN, async () => {
      const progress = await this.read({});
      if (progress.size === 0 || progress.halt?.reason === 'unreadable') return progress;
      return this.publishNew(await this.begin(progress, by), by);
    });
  }

  /** @throws UnavailableError */
  async audit(): Promise<Audit> {
    const audit = await this.audits.request();
    this.auditFindings = audit.total;
    return audit;
  }

  private async run(signal: AbortSignal): Promise<void> {
    const progress = await this.read({ signal });
    const at = progress.log?.checkpoint?.at;
    const isDue = at === undefined || elapsed(at, this.options.clock.now()) >= this.options.interval;
    if (!signal.aborted && (isDue || (await this.mustBegin(progress)))) await this.publishNew(progress);
  }

  private async read({
    signal,
    pages = Infinity,
  }: {
    signal?: AbortSignal;
    pages?: number;
  }): Promise<Progress> {
    for (let n = 1; ; n++) {
      const progress = await this.builder.advance(this.takeRecheck());
      this.noteHalt(progress.halt);
      if (progress.isAtEnd || progress.halt || n >= pages || signal?.aborted) return progress;
      await setImmediate();
    }
  }

  private noteHalt(halt: Halt | undefined): void {
    const text = halt && JSON.stringify(halt);
    if (halt && text !== this.halted) this.options.onHalt(halt);
    this.halted = text;
  }

  private takeRecheck(): boolean {
    const now = this.options.clock.monotonic();
    if (this.recheckedAt !== undefined && now - this.recheckedAt < RECHECK_MS) return false;
    this.recheckedAt = now;
    return true;
  }

  private async publishNew(read: Progress, by?: Origin): Promise<Progress> {
    const progress = (await this.mustBegin(read)) ? await this.begin(read, by) : read;
    const { size, log, halt } = progress;
    if (!log || halt || size === 0 || log.checkpoint?.size === size) return progress;
    const { hashes } = this.options.sources;
    const root = await rootOf(new StoredLog(hashes, size), size);
    const data = { origin: log.origin, size, root: root.toString('base64') };
    return this.append({ type: 'CheckpointPublished', data }, log.newest.revision, by);
  }

  /** A first log, another key, or a restore since the log began. */
  private async mustBegin({ size, log, halt }: Progress): Promise<boolean> {
    if (!log) return size > 0 && !halt;
    if (halt && halt.reason !== 'store_behind') return false;
    if (halt) return this.isLostSince(log.newest.at);
    return size > 0 && (log.isOver === true || log.vkey !== this.options.key.vkey(log.origin));
  }

  private async begin({ log, halt }: Progress, by?: Origin): Promise<Progress> {
    const { randomness, host, key } = this.options;
    const origin = `${host}/evidence/${Buffer.from(randomness.bytes(6)).toString('hex')}`;
    const data = { origin, vkey: key.vkey(origin), ...previousOf(log) };
    const last = halt ? (await this.streamOf(EVIDENCE_STREAM)).length - 1 : (log?.newest.revision ?? -1);
    return this.append({ type: 'EvidenceLogStarted', data }, last, by);
  }

  /** If another instance was first, its event is read instead. */
  private async append(event: EvidenceEvent, last: number, by?: Origin): Promise<Progress> {
    const { events, clock, randomness } = this.options;
    const own = { actor: { kind: 'process', id: 'evidence' }, correlationId: randomness.uuid() } as const;
    const metadata = { ...(by ?? own), at: clock.now(), schemaVersion: 1 };
    const expected = last < 0 ? ('no_stream' as const) : last;
    const append = {
      stream: EVIDENCE_STREAM,
      expected,
      events: [{ id: randomness.uuid(), ...event, metadata }],
    };
    await events.append(append, { consistency: 'durable' }).catch((error: unknown) => {
      if (!(error instanceof ConcurrencyError)) throw error;
    });
    return this.read({});
  }

  private async isLostSince(at: Instant): Promise<boolean> {
    const losses = (await Promise.all(LOSS_STREAMS.map((name) => this.streamOf(name)))).flat();
    return losses.some(({ metadata }) => (objectIn<{ at: Instant }>(metadata).at ?? '') > at);
  }

  private streamOf(name: string) {
    return this.options.sources.texts.stream(name, 0, Number.MAX_SAFE_INTEGER);
  }
}

function previousOf(log: LogState | undefined) {
  if (!log) return {};
  const { origin, size, root } = log.checkpoint ?? { origin: log.origin, size: 0, root: '' };
  return { previous: { origin, size, root } };
}
