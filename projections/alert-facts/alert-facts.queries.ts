import { Injectable } from '@nestjs/common';
import {
  AlertFacts,
  type AlertKind,
  type Condition,
  type Conditions,
} from '../../src/contexts/alerts/ports.js';
import { isHeld } from '../../src/contexts/jobs/domain/job.rules.js';
import { JobLists } from '../../src/contexts/jobs/ports.js';
import { plus, type Instant, type Milliseconds } from '../../src/kernel/time.js';
import { AccountQueries } from '../accounts/accounts.queries.js';
import { AvailabilityQueries } from '../availability/availability.queries.js';
import { ComputerQueries, CREDENTIAL_ENDS_SOON } from '../computers/computers.queries.js';
import { ApiKeyQueries } from '../credentials/credentials.queries.js';
import type { HoldUp } from '../job-view/hold-up.js';
import type { JobDocument } from '../job-view/job-view.js';
import { JobQueries, type Unfinished } from '../job-view/job-view.queries.js';
import { MemberQueries } from '../members/members.queries.js';
import type { PrinterDocument } from '../printers/printers.js';
import { PrinterQueries } from '../printers/printers.queries.js';
import type { PausedReason } from '../../src/contexts/webhooks/domain/endpoint.events.js';
import { WebhookQueries } from '../webhook-endpoints/webhook-endpoints.queries.js';
import { viewModule } from '../view-module.js';

/** Of one kind. */
const LISTED = 50;
const MAX_QUEUES = 500;
const NEWEST = { limit: 1_000, offset: 0 };
const FAILED_WITHIN: Milliseconds = 86_400_000;
const NEARLY = 0.9;

interface Asked {
  readonly accountId: string;
  readonly since: Instant;
  readonly now: Instant;
}

type Facts = readonly Omit<Condition, 'kind'>[];
interface Kind {
  readonly facts: Facts;
  /** More than are listed. */
  readonly isCut?: boolean;
}

const PAUSED_BECAUSE: Readonly<Record<PausedReason, string>> = {
  requested: 'its owner paused it',
  endpoint_gone: 'its endpoint is gone',
  backlog_full: 'too many deliveries wait',
  failing: 'it has failed for five days',
};

/** Answers from the views of others. */
@Injectable()
export class ViewAlertFacts extends AlertFacts {
  private readonly kinds: Readonly<Record<AlertKind, (asked: Asked) => Promise<Kind>>> = {
    job_in_review: (asked) => this.inReview(asked),
    job_failed: (asked) => this.failed(asked),
    printer_offline: (asked) => this.printersOffline(asked),
    printer_behind: (asked) => this.printersBehind(asked),
    computer_offline: (asked) => this.computersOffline(asked),
    webhook_paused: (asked) => this.webhooksPaused(asked),
    credential_ends: (asked) => this.credentialsEnding(asked),
    plan_nearly_used: (asked) => this.planNearlyUsed(asked),
  };

  constructor(
    private readonly accounts: AccountQueries,
    private readonly members: MemberQueries,
    private readonly jobs: JobQueries,
    private readonly lists: JobLists,
    private readonly computerList: ComputerQueries,
    private readonly printerList: PrinterQueries,
    private readonly keys: ApiKeyQueries,
    private readonly webhooks: WebhookQueries,
    private readonly availability: AvailabilityQueries,
  ) {
    super();
  }

  async conditions(
    accountId: string,
    kinds: readonly AlertKind[],
    since: Instant,
    now: Instant,
  ): Promise<Conditions> {
    const asked = { accountId, since, now };
    const found = await Promise.all(
      kinds.map(async (kind) => ({ kind, ...(await this.kinds[kind](asked)) })),
    );
    return {
      items: found.flatMap(({ kind, facts }) =>
        facts.slice(0, LISTED).map(({ key, ...fact }) => ({ key: `${kind}:${key}`, kind, ...fact })),
      ),
      cut: found.flatMap(({ kind, facts, isCut }) => (isCut || facts.length > LISTED ? [kind] : [])),
    };
  }

  async watchers(accountId: string): Promise<readonly string[]> {
    const listed = await this.members.listMembers(accountId);
    return listed.filter(({ has_alerts }) => has_alerts).map(({ member_id }) => member_id);
  }

  private async inReview({ accountId }: Asked): Promise<Kind> {
    const { items, total } = await this.list(accountId, 'manual_review');
    return { facts: items.map((job) => ofJob(job, 'needs a decision')), isCut: total > LISTED };
  }

  /** Those with a retry ahead may still be printed. */
  private async failed({ accountId, since, now }: Asked): Promise<Kind> {
    const { items, total } = await this.list(accountId, 'failed');
    const after = since > plus(now, -FAILED_WITHIN) ? since : plus(now, -FAILED_WITHIN);
    const facts = items
      .filter((job) => job.listed_as === 'failed' && (job.last_failure_at ?? job.updated_at) > after)
      .map((job) => ({
        ...ofJob(job, `failed${job.failure_code ? ` (${job.failure_code})` : ''}`),
        key: `${job.job_id}:${job.attempt_count}`,
      }));
    return { facts, isCut: total > LISTED };
  }

  private list(accountId: string, status: JobDocument['status']) {
    return this.jobs.listJobs(accountId, { status }, { limit: LISTED, offset: 0 });
  }

  private printersOffline({ accountId }: Asked): Promise<Kind> {
    return this.ofPrinters(accountId, async ({ name, status }, unfinished) =>
      status === 'online' ? undefined : `${named('Printer', name)} is ${status}, and ${jobs(unfinished)}`,
    );
  }

  private printersBehind({ accountId, now }: Asked): Promise<Kind> {
    return this.ofPrinters(accountId, async (printer, { waiting, held }) => {
      if (printer.status !== 'online') return undefined;
      const counts = { waiting: printer.paused ? 0 : waiting, held };
      const { holdUp } = await this.jobs.firstUnfinished(printer, counts, now);
      return holdUp && `${named('Printer', printer.name)} is behind: ${heldUp(printer, holdUp, waiting)}`;
    });
  }

  /** @param textOf undefined: there is nothing to tell about the printer */
  private async ofPrinters(
    accountId: string,
    textOf: (printer: PrinterDocument, unfinished: Unfinished) => Promise<string | undefined>,
  ): Promise<Kind> {
    const all = await this.jobs.unfinishedByPrinter(accountId);
    const looked = new Map(all.slice(0, MAX_QUEUES).map((queue) => [queue.printerId, queue]));
    const printers = await this.printerList.getPrinters(accountId, [...looked.keys()]);
    const facts = await Promise.all(
      printers.map(async (printer): Promise<Facts> => {
        const { printer_id: key } = printer;
        const text = await textOf(printer, looked.get(key)!);
        return text === undefined ? [] : [{ key, link: `#/devices/printers/${key}`, text }];
      }),
    );
    return { facts: facts.flat(), isCut: all.length > MAX_QUEUES };
  }

  private async computersOffline({ accountId, since }: Asked): Promise<Kind> {
    const { items } = await this.computerList.listComputers(accountId, { status: 'offline' }, NEWEST);
    const changed = items.filter(({ updated_at }) => updated_at > since);
    const offlineSince = await this.availability.since(changed.map(({ computer_id }) => computer_id));
    const facts = changed
      .filter(({ computer_id, updated_at }) => (offlineSince.get(computer_id) ?? updated_at) > since)
      .map(({ computer_id, name }) => ({
        ...{ key: computer_id, link: '#/devices' },
        text: `${named('Computer', name)} is offline`,
      }));
    return { facts };
  }

  /** By the service, not by its owner. */
  private async webhooksPaused({ accountId }: Asked): Promise<Kind> {
    const paused = (await this.webhooks.listWebhooks(accountId)).filter(
      ({ status, paused_reason }) => status === 'paused' && paused_reason !== 'requested',
    );
    const facts = paused.map(({ webhook_id, url, paused_reason }) => ({
      ...{ key: webhook_id, link: `#/webhooks/${webhook_id}` },
      text: `${named('Webhook', hostOf(url))} is paused: ${PAUSED_BECAUSE[paused_reason!]}`,
    }));
    return { facts };
  }

  private async credentialsEnding({ accountId, now }: Asked): Promise<Kind> {
    const soon = plus(now, CREDENTIAL_ENDS_SOON);
    const [keys, computers] = await Promise.all([
      this.keys.listKeys(accountId, NEWEST),
      this.computerList.listComputers(accountId, {}, NEWEST),
    ]);
    const isEnding = (end: Instant | null | undefined): end is Instant => !!end && end > now && end <= soon;
    return {
      facts: [
        ...keys.items.flatMap(({ key_id, name, status, expires_at: end }) =>
          status === 'active' && isEnding(end)
            ? [{ key: key_id, link: '#/keys', text: `${named('Key', name ?? key_id)} ends on ${dayOf(end)}` }]
            : [],
        ),
        ...computers.items.flatMap(({ computer_id: key, name, credential_expires_at: end }) =>
          isEnding(end)
            ? [
                {
                  key,
                  link: '#/devices',
                  text: `The credential of ${named('computer', name)} ends on ${dayOf(end)}`,
                },
              ]
            : [],
        ),
      ],
    };
  }

  private async planNearlyUsed({ accountId, now }: Asked): Promise<Kind> {
    const month = now.slice(0, 'YYYY-MM'.length);
    const limit = (await this.accounts.getAccount(accountId))?.plan.jobs_per_month ?? null;
    const used = limit === null ? 0 : await this.lists.countCreatedInMonth(accountId, month);
    if (limit === null || used < limit * NEARLY) return { facts: [] };
    const text = `${used} of the ${limit} jobs of this month's plan are used`;
    return { facts: [{ key: month, link: '#/account', text }] };
  }
}

const ofJobs = (count: number) => (count === 1 ? 'one job' : `${count} jobs`);

function jobs({ waiting, held }: Unfinished): string {
  const waits = `${ofJobs(waiting)} ${waiting === 1 ? 'waits' : 'wait'}`;
  const holds = `its computer holds ${ofJobs(held)}`;
  return [...(waiting > 0 ? [waits] : []), ...(held > 0 ? [holds] : [])].join(', and ');
}

function heldUp({ computer_name }: PrinterDocument, { job }: HoldUp, waiting: number): string {
  if (isHeld(job.status)) {
    const where = named('computer', computer_name);
    return `${named('job', job.title ?? job.job_id)} has been at ${where} for over five minutes`;
  }
  return waiting === 1
    ? 'one job has waited for over five minutes'
    : `${waiting} jobs wait, the first of them for over five minutes`;
}

const MAX_NAME = 80;

function ofJob({ job_id, title }: JobDocument, what: string) {
  return { key: job_id, link: `#/jobs/${job_id}`, text: `${named('Job', title ?? job_id)} ${what}` };
}

const named = (what: string, name: string) => `${what} “${shortened(name)}”`;

/** Control and bidirectional characters of strangers could change how a mail reads. */
function shortened(name: string): string {
  const characters = [...name.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, ' ')];
  return characters.length <= MAX_NAME
    ? characters.join('')
    : `${characters.slice(0, MAX_NAME - 1).join('')}…`;
}

const dayOf = (at: Instant) => at.slice(0, 'YYYY-MM-DD'.length);

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url);

export const AlertFactsModule = viewModule({ provide: AlertFacts, useClass: ViewAlertFacts });
