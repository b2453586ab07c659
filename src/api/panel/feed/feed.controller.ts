import { Controller, Injectable, type OnModuleDestroy, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { PassThrough, type Readable } from 'node:stream';
import { EventStore } from '../../../event-sourcing/index.js';
import { BareAnswer, COMMENT, EVENT_STREAM } from '../../../http/answer.js';
import { ApiError } from '../../../http/errors/api-error.js';
import { operationsOf } from '../../../http/operation.js';
import { Caller, onHangUp } from '../../../http/request.js';
import { categoryOf, idOf } from '../../../kernel/ids.js';
import type { Position, RecordedEvent } from '../../../kernel/recorded-event.js';
import { Clock, elapsed, type Instant, type Milliseconds } from '../../../kernel/time.js';
import { ProjectedPayloads } from '../../resources/projected-payloads.js';
import { panel } from '../panel.surface.js';
import { endsSessions, type MemberPrincipal } from '../session.authenticator.js';

export type ChangedKind = 'jobs' | 'computers' | 'printers' | 'webhooks' | 'deliveries';

const KINDS: readonly ChangedKind[] = ['jobs', 'computers', 'printers', 'webhooks', 'deliveries'];

/** More ids than this are not listed: the page reads everything again. */
const MAX_LISTED = 200;

export interface Change {
  readonly kind: ChangedKind;
  readonly id: string;
}

const ids = (event: RecordedEvent) =>
  event.data as { readonly printerId?: string; readonly webhookId?: string };

/** What an event changes for the pages; undefined if nothing. */
export function changeOf(event: RecordedEvent): Change | undefined {
  const { printerId, webhookId } = ids(event);
  const id = idOf(event.stream);
  switch (categoryOf(event.stream)) {
    case 'job':
      return { kind: 'jobs', id };
    case 'delivery':
      return { kind: 'deliveries', id };
    case 'computer':
      return printerId ? { kind: 'printers', id: printerId } : { kind: 'computers', id };
    case 'webhooks':
      return webhookId ? { kind: 'webhooks', id: webhookId } : undefined;
    default:
      return undefined;
  }
}

/** A message in the format of server-sent events: the changed ids, or the request to read everything again. */
export function messageOf(position: Position, changes: readonly Change[]): string {
  const listed = Object.fromEntries(KINDS.map((kind) => [kind, new Set<string>()]));
  for (const { kind, id } of changes) listed[kind]!.add(id);
  const count = KINDS.reduce((sum, kind) => sum + listed[kind]!.size, 0);
  if (count > MAX_LISTED) return resync(position);
  const data = Object.fromEntries(KINDS.map((kind) => [kind, [...listed[kind]!]]));
  return `event: changed\nid: ${position}\ndata: ${JSON.stringify(data)}\n\n`;
}

export const resync = (position: Position): string => `event: resync\nid: ${position}\ndata: {}\n\n`;

interface Feed {
  readonly caller: MemberPrincipal;
  readonly out: PassThrough;
}

const FEEDS_OF_SESSION = 4;
const FEEDS_OF_ACCOUNT = 40;
const FEEDS_OF_PROCESS = 400;
const BETWEEN_MESSAGES: Milliseconds = 250;
const BETWEEN_COMMENTS: Milliseconds = 15_000;
/** A page that reads nothing any more. */
const MAX_UNREAD_BYTES = 262_144;
/** Events whose account is looked up at once; with more, every page reads everything again. */
const MAX_LOOKED_UP = 2_000;

const LATER = { 'retry-after': '15' };

/**
 * Tells open pages which resources have changed, as soon as the views show it. One listener serves all feeds; it does
 * nothing while none is open.
 */
@Injectable()
export class LiveFeeds implements OnModuleDestroy {
  private readonly feeds = new Set<Feed>();
  private pending: RecordedEvent[] = [];
  private lastMessageAt: Instant | undefined;
  private isFlushing = false;
  private cancelFlush: (() => void) | undefined;
  private cancelComments: (() => void) | undefined;
  private readonly unsubscribe: () => void;

  constructor(
    private readonly events: EventStore,
    private readonly payloads: ProjectedPayloads,
    private readonly clock: Clock,
  ) {
    this.unsubscribe = events.listen({
      appended: (events) => {
        if (this.feeds.size > 0) this.note(events);
      },
    });
  }

  get size(): number {
    return this.feeds.size;
  }

  /** Opens a feed of the caller's account. @throws ApiError 429 for session and account, 503 for the process */
  open(caller: MemberPrincipal): Readable {
    const ofAccount = [...this.feeds].filter((feed) => feed.caller.accountId === caller.accountId);
    const own = ofAccount.filter((feed) => feed.caller.credentialId === caller.credentialId);
    if (own.length >= FEEDS_OF_SESSION)
      throw new ApiError('rateLimited', 'This session has four open feeds.', LATER);
    if (ofAccount.length >= FEEDS_OF_ACCOUNT)
      throw new ApiError('rateLimited', `This account has ${FEEDS_OF_ACCOUNT} open feeds.`, LATER);
    if (this.feeds.size >= FEEDS_OF_PROCESS)
      throw new ApiError('unavailable', 'Too many feeds are open.', LATER);
    const feed = { caller, out: new PassThrough() };
    this.feeds.add(feed);
    feed.out.once('close', () => this.feeds.delete(feed));
    feed.out.on('error', () => undefined);
    feed.out.write(COMMENT);
    this.cancelComments ??= this.clock.after(BETWEEN_COMMENTS, () => void this.comment());
    return feed.out;
  }

  onModuleDestroy(): void {
    this.unsubscribe();
    this.cancelFlush?.();
    this.cancelComments?.();
    for (const { out } of this.feeds) out.end();
  }

  private note(appended: readonly RecordedEvent[]): void {
    for (const event of appended) this.pending.push(event);
    this.plan();
  }

  private plan(): void {
    if (this.isFlushing || this.cancelFlush || this.pending.length === 0) return;
    const now = this.clock.now();
    const rest = this.lastMessageAt ? BETWEEN_MESSAGES - elapsed(this.lastMessageAt, now) : 0;
    if (rest <= 0) return void this.flush();
    this.cancelFlush = this.clock.after(rest, () => void this.flush());
  }

  private async flush(): Promise<void> {
    this.isFlushing = true;
    this.cancelFlush = undefined;
    this.lastMessageAt = this.clock.now();
    const flushed = this.pending;
    this.pending = [];
    const { position } = flushed.at(-1)!;
    // Writes nothing, but checks the session of every feed.
    const unchanged = flushed.some(endsSessions) ? '' : undefined;
    try {
      await this.events.waitUntilProjected();
      const ofAccounts = await this.byAccount(flushed);
      await this.send((accountId) => {
        const changes = ofAccounts === 'too many' ? undefined : (ofAccounts.get(accountId) ?? []);
        if (changes?.length === 0) return unchanged;
        return changes ? messageOf(position, changes) : resync(position);
      });
    } catch {
      // A store did not answer, so what has changed is unknown.
      await this.send(() => resync(position)).catch(() => undefined);
    } finally {
      this.isFlushing = false;
      this.plan();
    }
  }

  private async byAccount(
    events: readonly RecordedEvent[],
  ): Promise<ReadonlyMap<string, readonly Change[]> | 'too many'> {
    const changed = events.filter(changeOf);
    if (changed.length > MAX_LOOKED_UP) return 'too many';
    const ofAccounts = new Map<string, Change[]>();
    for (const event of changed) {
      const change = changeOf(event)!;
      const accountId = await this.payloads.accountOf(event);
      if (accountId === undefined) continue;
      const known = ofAccounts.get(accountId);
      if (known) known.push(change);
      else ofAccounts.set(accountId, [change]);
    }
    return ofAccounts;
  }

  private async comment(): Promise<void> {
    this.cancelComments = undefined;
    await this.send(() => COMMENT).catch(() => undefined);
    if (this.feeds.size > 0)
      this.cancelComments ??= this.clock.after(BETWEEN_COMMENTS, () => void this.comment());
  }

  /** Writes to each feed whose session still counts, and ends the others. */
  private async send(textFor: (accountId: string) => string | undefined): Promise<void> {
    for (const feed of this.feeds) {
      const text = textFor(feed.caller.accountId);
      if (text === undefined) continue;
      const isOpen = await feed.caller.isStillValid();
      if (isOpen && feed.out.readableLength <= MAX_UNREAD_BYTES) feed.out.write(text);
      else if (this.feeds.delete(feed)) feed.out.end();
    }
  }
}

const Operation = operationsOf(panel, { tag: 'Jobs' });

@Controller()
export class FeedController {
  constructor(private readonly feeds: LiveFeeds) {}

  @Operation({
    id: 'openFeed',
    route: 'GET /v1/panel/feed',
    summary: 'Follow what changes',
    description:
      'Server-sent events: `changed` lists the ids of changed jobs, computers, printers, webhooks and deliveries, ' +
      '`resync` asks to read everything again. At most four feeds of a session are open, forty of an account.',
    scopes: ['jobs:read'],
    limit: { perMinute: 60 },
    success: { status: 200, description: 'The feed, until one side closes it.', media: 'text/event-stream' },
  })
  open(@Caller() caller: MemberPrincipal, @Req() request: FastifyRequest) {
    const feed = this.feeds.open(caller);
    onHangUp(request, () => feed.destroy());
    return new BareAnswer(200, feed, EVENT_STREAM);
  }
}
