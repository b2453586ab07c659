import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  type AccessEvent,
  type FailedSource,
  INSTALLATION,
  NoteAccess,
  type SignInClient,
  type SignInTarget,
  type Unsigned,
} from '../contexts/members/index.js';
import { Randomness } from '../kernel/ids.js';
import { RateCounters } from '../kernel/rate-counters.js';
import { Clock, type Instant, type Milliseconds } from '../kernel/time.js';
import type { Origin } from '../kernel/recorded-event.js';

const MINUTE: Milliseconds = 60_000;

/** Leaves readings of operators in the audit of the account they concern (docs/decisions/076-traces-of-access.md). */
@Injectable()
export class AccessNotes {
  constructor(
    private readonly commands: CommandBus,
    private readonly counters: RateCounters,
    private readonly clock: Clock,
  ) {}

  /** One event in ten minutes for the same operator and resource. Without a trace nothing is read. */
  async operatorReads(accountId: string | undefined, event: AccessEvent, by: Origin): Promise<void> {
    const key = `operator-read:${by.actor.id}:${Object.values(event.data).join()}`;
    const { consumed } = await this.counters.add(key, 1, 10 * MINUTE);
    if (consumed > 1) return;
    const note = { accountId: accountId ?? INSTALLATION, noted: event, at: this.clock.now(), by };
    try {
      await this.commands.execute(new NoteAccess(note));
    } catch (error) {
      await this.counters.add(key, -1, 10 * MINUTE);
      throw error;
    }
  }
}

/** Failures of an owner in an hour that are an event each. */
const ALONE = 20;
/** Further ones of an owner share an event: those of a minute, or so many. */
const TOGETHER = 100;
/** Of an owner in a minute; those beyond are counted without their addresses. */
const ADDRESSED = 1_000;
const MAX_OWNERS = 1_000;
/** Events that the store could not take, kept for the next minute. */
const MAX_UNSTORED = 1_000;

/** The member, or the account if the name or the link is unknown. */
type Owner = SignInTarget;
type By = FailedSource['by'];

interface Collected {
  readonly owner: Owner;
  sources: Map<string, FailedSource>;
  /** Since the last event, with those beyond the addressed ones. */
  count: number;
  /** Since the minute began. */
  ofMinute: number;
}

/**
 * Leaves each failed sign-in with its address in the audit of the account it concerns, in a bounded number of events
 * (docs/decisions/076-traces-of-access.md).
 */
@Injectable()
export class FailedSignIns implements OnApplicationShutdown {
  private readonly logger = new Logger(FailedSignIns.name);
  private collected = new Map<string, Collected>();
  private unstored: NoteAccess[] = [];
  private readonly noting = new Set<Promise<void>>();
  private cancelFlush: (() => void) | undefined;

  constructor(
    private readonly commands: CommandBus,
    private readonly counters: RateCounters,
    private readonly randomness: Randomness,
    private readonly clock: Clock,
  ) {}

  /** Does not wait for the event: the time of the answer must not reveal names. */
  note(
    { accountId = INSTALLATION, memberId }: Partial<SignInTarget>,
    by: By,
    client: SignInClient,
    via: Unsigned,
  ): void {
    const whose = memberId === undefined ? accountId : `member ${memberId} of ${accountId}`;
    this.logger.warn(`a sign-in by ${by} from ${client.address} for ${whose} failed`);
    const owner = { accountId, ...(memberId !== undefined && { memberId }) };
    this.track(this.noteOne(owner, by, client, via));
  }

  /** Nest calls it when the last request is answered. */
  async onApplicationShutdown(): Promise<void> {
    await this.settled();
    this.flush();
    await this.settled();
    this.cancelFlush?.();
    if (this.unstored.length > 0)
      this.logger.error(`${this.unstored.length} events of failed sign-ins could not be stored; see the log`);
  }

  private async noteOne(owner: Owner, by: By, client: SignInClient, via: Unsigned): Promise<void> {
    const at = this.clock.now();
    const key = `sign-in-failed:${owner.memberId ?? owner.accountId}`;
    const { consumed } = await this.counters.add(key, 1, 60 * MINUTE);
    const { address } = client;
    const source = { by, ...(address !== undefined && { address }), count: 1, firstAt: at, lastAt: at };
    if (consumed > ALONE && this.collect(owner, source)) return;
    const data = { by, ...client, ...ofMember(owner), count: consumed };
    await this.store(owner, { type: 'SignInFailed', data }, at, via);
  }

  /** False if too many owners have failures that wait. */
  private collect(owner: Owner, source: FailedSource): boolean {
    const key = owner.memberId ?? owner.accountId;
    const known = this.collected.get(key);
    if (!known && this.collected.size >= MAX_OWNERS) return false;
    const one = known ?? { owner, sources: new Map(), count: 0, ofMinute: 0 };
    this.collected.set(key, one);
    one.count++;
    one.ofMinute++;
    if (one.ofMinute <= ADDRESSED) withSource(one.sources, source);
    if (one.sources.size > 0 && one.count >= TOGETHER) this.track(this.storeCollected(one));
    this.flushLater();
    return true;
  }

  private flushLater(): void {
    this.cancelFlush ??= this.clock.after(MINUTE, () => this.flush());
  }

  /** Stores what waits, and begins the next minute. */
  private flush(): void {
    this.cancelFlush?.();
    this.cancelFlush = undefined;
    const again = this.unstored;
    const waiting = [...this.collected.values()].filter(({ count }) => count > 0);
    this.unstored = [];
    this.collected = new Map();
    for (const event of again) this.track(this.send(event));
    for (const one of waiting) this.track(this.storeCollected(one));
  }

  private storeCollected(one: Collected): Promise<void> {
    const { owner, sources, count } = one;
    one.sources = new Map();
    one.count = 0;
    const data = { ...ofMember(owner), sources: [...sources.values()], count };
    const via = { correlationId: this.randomness.uuid() };
    return this.store(owner, { type: 'SignInsFailed', data }, this.clock.now(), via);
  }

  private store({ accountId }: Owner, noted: AccessEvent, at: Instant, via: Unsigned): Promise<void> {
    const by = { ...via, actor: { kind: 'process', id: 'sign-in' } } as const;
    return this.send(new NoteAccess({ accountId, noted, at, by }));
  }

  private async send(event: NoteAccess): Promise<void> {
    try {
      await this.commands.execute(event);
    } catch (error) {
      this.logger.error(error);
      if (this.unstored.length >= MAX_UNSTORED) return;
      this.unstored.push(event);
      this.flushLater();
    }
  }

  private track(noting: Promise<void>): void {
    const noted = noting
      .catch((error: Error) => this.logger.error(error))
      .finally(() => this.noting.delete(noted));
    this.noting.add(noted);
  }

  private async settled(): Promise<void> {
    while (this.noting.size > 0) await Promise.all(this.noting);
  }
}

const ofMember = ({ memberId }: Owner) => (memberId === undefined ? {} : { memberId });

function withSource(sources: Map<string, FailedSource>, source: FailedSource): void {
  const key = `${source.by} ${source.address}`;
  const known = sources.get(key);
  sources.set(key, known ? { ...known, count: known.count + 1, lastAt: source.lastAt } : source);
}
