import { publicTypeOf } from '../../../src/contexts/webhooks/index.js';
import { projectionsFor } from '../../../src/app/projections.js';
import {
  ProjectionRunner,
  type DocumentWrite,
} from '../../../src/event-sourcing/projections/projection-runner.js';
import { ViewDigest } from '../../../src/event-sourcing/projections/view-comparison.js';
import { handledBy, type ViewDefinition } from '../../../src/kernel/projection.js';
import { idOf } from '../../../src/kernel/ids.js';
import type { RecordedEvent } from '../../../src/kernel/recorded-event.js';
import type { Milliseconds } from '../../../src/kernel/time.js';
import type { Follower } from '../actors/follower.js';
import type { Row, World } from '../world.js';
import { judgeMoves, SUCCESSION_MS } from './moves.js';

/** One webhook of the world, which stays active. */
export interface Subscribed {
  readonly accountId: string;
  readonly webhookId: string;
  readonly url: string;
  /** Public types that it gets. */
  readonly types: readonly string[];
}

export interface Judged {
  readonly world: World;
  /** Largest difference of a wall clock. */
  readonly skewMs: Milliseconds;
  readonly webhooks: readonly Subscribed[];
  readonly followers: readonly Follower[];
}

/** Of api-v1.md: nothing more happens to such a job by itself. */
const FINAL = new Set(['spooler_completed', 'cancelled', 'expired']);

interface JobDocument {
  readonly job_id: string;
  readonly account_id: string;
  readonly status: string;
  readonly retry_state: string;
  readonly content_hash: string;
}

/** Compares what the service promised with what is true, after everything has come to rest. */
export class Auditor {
  constructor(private readonly judged: Judged) {}

  private get events(): readonly RecordedEvent[] {
    return this.judged.world.events;
  }

  /** Sentences, each of which names a broken promise; what should have come to rest is one. */
  violations(): readonly string[] {
    return [
      ...this.moving(),
      ...this.lostJobs(),
      ...this.moves().violations,
      ...this.printedTwice(),
      ...this.permittedToOthers(),
      ...this.grantedTooLate(),
      ...this.leasedWhileSuspended(),
      ...this.completedUnprinted(),
      ...this.judged.world.history.disordered().map((job) => `no order of its calls explains job ${job}`),
      ...this.wrongViews(),
    ];
  }

  /** How often each event was stored and each move made, with those that never were. */
  tallies() {
    const types = new Map(handledBy(projectionsFor(this.judged.world.config)).map((type) => [type, 0]));
    for (const { type } of this.events) types.set(type, (types.get(type) ?? 0) + 1);
    return { types, moves: this.moves().moves };
  }

  /** Whether nothing is on its way any more: jobs, deliveries, followers. */
  isAtRest(): boolean {
    return this.restlessJobs().length === 0 && this.moving().length === 0;
  }

  /** What has not come to rest. */
  moving(): readonly string[] {
    const { followers, webhooks, world } = this.judged;
    const jobs = this.restlessJobs();
    const deliveries = documentsOf<{ delivery_id: string; status: string }>(world, 'webhook-deliveries');
    const open = deliveries.filter(
      ({ status }) => !['delivered', 'dead_letter', 'cancelled'].includes(status),
    );
    const { database, log } = world.servers;
    const shown = log.head(handledBy(projectionsFor(world.config))) ?? '';
    return [
      ...jobs,
      ...open.map(({ delivery_id, status }) => `delivery ${delivery_id} is ${status}`),
      ...((database.state?.position ?? '') < shown ? ['the views lag'] : []),
      ...webhooks.flatMap((webhook) => this.undelivered(webhook)),
      ...followers.flatMap((follower) => this.misread(follower)),
    ];
  }

  private moves() {
    return judgeMoves(this.events, this.judged.world.history.reports);
  }

  private lostJobs(): readonly string[] {
    const jobs = new Map(
      documentsOf<JobDocument>(this.judged.world, 'job-view').map((job) => [job.job_id, job]),
    );
    return [...this.judged.world.history.created].flatMap(([key, { jobId, accountId, hash }]) => {
      if (this.judged.world.history.isLost(jobId)) return [];
      const job = jobs.get(jobId);
      if (!job) return [`the acknowledged job ${jobId} (${key}) does not exist`];
      if (job.account_id !== accountId) return [`job ${jobId} belongs to another account`];
      return job.content_hash === hash ? [] : [`job ${jobId} has another document`];
    });
  }

  private restlessJobs(): readonly string[] {
    return documentsOf<JobDocument>(this.judged.world, 'job-view').flatMap((job) => {
      const { status, retry_state } = job;
      const isResting =
        FINAL.has(status) ||
        (status === 'failed' && retry_state !== 'scheduled') ||
        status === 'manual_review';
      return isResting ? [] : [`job ${job.job_id} is ${status} (${retry_state}) and does not come to rest`];
    });
  }

  /** One hand-off for each attempt, and a second attempt after one only if a person asked for it, or nothing was printed. */
  private printedTwice(): readonly string[] {
    const { history } = this.judged.world;
    const unsent = [...history.reports.values()].filter(({ type }) => type === 'not_submitted');
    /** Some are, all the same. */
    const denied = new Set(unsent.map(({ document }) => document));
    const byJob = new Map<string, (typeof history.submissions)[number][]>();
    for (const submission of history.submissions) {
      const jobId = submission.document.split(':')[1]!;
      byJob.set(jobId, [...(byJob.get(jobId) ?? []), submission]);
    }
    return [...byJob].flatMap(([jobId, submissions]) =>
      submissions.slice(1).flatMap((next, n) => {
        const { document, at, computer } = submissions[n]!;
        const isAsked = (history.retried.get(jobId) ?? []).some((asked) => asked > at && asked < next.at);
        const isSame = document === next.document && !history.isLost(jobId);
        if (isSame) return [`${document} was spooled twice`];
        if (isAsked || denied.has(document)) return [];
        return [
          `${document} was spooled at ${computer}, then ${next.document} by itself at ${next.computer}`,
        ];
      }),
    );
  }

  /** A permit is repeated for its own session alone, or for its restart after the silence of two heartbeats. */
  private permittedToOthers(): readonly string[] {
    const { skewMs, world } = this.judged;
    const owners = new Map(
      this.events
        .filter(({ type }) => type === 'HandoffStarted')
        .map(({ stream, data }) => {
          const { fence, sessionId } = data as { fence: number; sessionId: string };
          return [`${idOf(stream)} ${fence}`, sessionId] as const;
        }),
    );
    return world.history.permits.flatMap(({ jobId, fence, session, at }) => {
      const isOwner = owners.get(`${jobId} ${fence}`) === session.id;
      const isProven = at > session.asked + SUCCESSION_MS - 2 * skewMs;
      if (isOwner || isProven || world.history.isLost(jobId)) return [];
      return [`job ${jobId} got its permit for fence ${fence} at ${at} again, for another session`];
    });
  }

  /** After the expiry that its lease names, nothing is leased, accepted or handed off for the first time. */
  private grantedTooLate(): readonly string[] {
    const { skewMs, world } = this.judged;
    return world.history.grants
      .filter(({ asked, expiresAt }) => asked > expiresAt + skewMs)
      .map(
        ({ jobId, what, asked, expiresAt }) =>
          `job ${jobId} was ${what} at ${asked} after its expiry at ${expiresAt}`,
      );
  }

  private leasedWhileSuspended(): readonly string[] {
    const { created, grants, suspensions } = this.judged.world.history;
    const owners = new Map([...created.values()].map(({ jobId, accountId }) => [jobId, accountId]));
    return grants.flatMap(({ jobId, what, asked, at }) => {
      const during = suspensions.filter(({ from, to }) => asked > from && at < to);
      const isForbidden = what === 'leased' && during.some((one) => one.accountId === owners.get(jobId));
      return isForbidden ? [`job ${jobId} was leased at ${at} while its account was suspended`] : [];
    });
  }

  /** Paper is never asserted. */
  private completedUnprinted(): readonly string[] {
    const { history } = this.judged.world;
    const spooled = new Set(history.submissions.map(({ document }) => document.split(':')[1]));
    return documentsOf<JobDocument>(this.judged.world, 'job-view')
      .filter(({ job_id, status }) => status === 'spooler_completed' && !spooled.has(job_id))
      .map(({ job_id }) => `job ${job_id} is completed and was never spooled`);
  }

  /** Public events of the account after the webhook, in the order of the log. */
  private publicEvents(accountId: string, from = 0): readonly RecordedEvent[] {
    const owners = new Map<string, string>();
    return this.events.filter((event, n) => {
      const { stream, data } = event;
      const owner = owners.get(stream) ?? (data as { accountId?: string }).accountId;
      if (owner !== undefined) owners.set(stream, owner);
      return n >= from && owner === accountId && publicTypeOf(event) !== undefined;
    });
  }

  private undelivered({ accountId, webhookId, url, types }: Subscribed): readonly string[] {
    const { world } = this.judged;
    const created = this.events.findIndex(
      ({ type, data }) =>
        type === 'WebhookCreated' && (data as { webhookId: string }).webhookId === webhookId,
    );
    const acknowledged = world.receivers.eventsOf(url);
    const dead = new Set(
      documentsOf<{ webhook_id: string; event_id: string; status: string }>(world, 'webhook-deliveries')
        .filter((one) => one.webhook_id === webhookId && one.status === 'dead_letter')
        .map(({ event_id }) => event_id),
    );
    const due = this.publicEvents(accountId, created + 1).filter((event) =>
      types.includes(publicTypeOf(event)!),
    );
    return due.flatMap(({ id, type, position }) =>
      acknowledged.has(id) || dead.has(id)
        ? []
        : [`webhook ${webhookId} never got ${type} ${id} at ${position}, and it is no dead letter`],
    );
  }

  private misread({ accountId, seen, program }: Follower): readonly string[] {
    const due = this.publicEvents(accountId).map(({ id }) => id);
    const differs = due.findIndex((id, n) => seen[n] !== id);
    if (differs < 0 && seen.length === due.length) return [];
    const at = differs < 0 ? due.length : differs;
    return [
      `${program.name} saw ${seen[at] ?? 'nothing'} as change ${at} instead of ${due[at] ?? 'nothing'}`,
    ];
  }

  private wrongViews(): readonly string[] {
    const { world } = this.judged;
    const projections = projectionsFor(world.config);
    const replay = new ProjectionRunner(projections, () => undefined).fold(this.events);
    return projections.flatMap(({ view }) =>
      digestOf(view, rowsOf(view, replay)) === digestOf(view, world.documentsOf(view))
        ? []
        : [`view ${view.name} differs from a replay of the events`],
    );
  }
}

function rowsOf(view: ViewDefinition, replay: readonly DocumentWrite[]): readonly Row[] {
  return replay.flatMap((write) =>
    write.view === view && write.after ? { id: write.id, ...write.after } : [],
  );
}

function digestOf(view: ViewDefinition, rows: readonly Row[]): string {
  const digest = new ViewDigest(view);
  const sorted = [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const { id, creationPosition, document } of sorted) digest.add(id, creationPosition, document);
  return digest.result();
}

export function documentsOf<D>(world: World, name: string): readonly D[] {
  const { view } = projectionsFor(world.config).find((one) => one.view.name === name)!;
  return world.documentsOf(view).map(({ document }) => document as D);
}
