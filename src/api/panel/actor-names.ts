import { Injectable } from '@nestjs/common';
import type { AuditSubject } from '../../../projections/audit/audit.js';
import { ComputerQueries } from '../../../projections/computers/computers.queries.js';
import { ApiKeyQueries } from '../../../projections/credentials/credentials.queries.js';
import { JobQueries } from '../../../projections/job-view/job-view.queries.js';
import { MemberQueries } from '../../../projections/members/members.queries.js';
import { PrinterQueries } from '../../../projections/printers/printers.queries.js';
import { WebhookQueries } from '../../../projections/webhook-endpoints/webhook-endpoints.queries.js';
import { Field } from '../../http/validation/field.js';
import { oneOf, text } from '../../http/validation/rules.js';
import type { Actor } from '../../kernel/recorded-event.js';

const KINDS = ['api_key', 'partner', 'device', 'enrollment', 'operator', 'member', 'process'] as const;

export class NamedActor implements Actor {
  @Field(oneOf(...KINDS)) kind!: Actor['kind'];
  @Field(text({ max: 200 })) id!: string;
  @Field(text({ max: 255 }), { description: 'Of the member, computer or key; else the id' }) name!: string;

  static readonly example: NamedActor = {
    kind: 'member',
    id: '01990000-0000-7000-8000-000000000001',
    name: 'Bea',
  };
}

interface Named {
  readonly kind: Actor['kind'] | AuditSubject['kind'];
  readonly id: string;
}

/** Names in the events of one account, as they are now. Those of other accounts stay unknown. */
@Injectable()
export class ActorNames {
  constructor(
    private readonly members: MemberQueries,
    private readonly computers: ComputerQueries,
    private readonly printers: PrinterQueries,
    private readonly keys: ApiKeyQueries,
    private readonly webhooks: WebhookQueries,
    private readonly jobs: JobQueries,
  ) {}

  /** Resolves to a function that names these actors; by the id one that is unknown. */
  async of(accountId: string, actors: readonly Actor[]): Promise<(actor: Actor) => NamedActor> {
    const names = await this.namesOf(accountId, actors, 'key ');
    return ({ kind, id }) => ({ kind, id, name: names.get(id) ?? id });
  }

  /** Resolves to a function that names these subjects; null for one without a name, or that is gone. */
  async ofSubjects(
    accountId: string,
    subjects: readonly AuditSubject[],
  ): Promise<(subject: AuditSubject) => string | null> {
    const names = await this.namesOf(accountId, subjects);
    return ({ id }) => names.get(id) ?? null;
  }

  private async namesOf(accountId: string, named: readonly Named[], unnamedKey = '') {
    const idsOf = (...kinds: Named['kind'][]) => [
      ...new Set(named.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id)),
    ];
    const [members, computers, printers, keys, webhooks, jobs] = await Promise.all([
      this.members.getMembers(accountId, idsOf('member')),
      this.computers.getComputers(accountId, idsOf('device', 'computer')),
      this.printers.getPrinters(accountId, idsOf('printer')),
      this.keys.getKeys(accountId, idsOf('api_key')),
      idsOf('webhook').length > 0 ? this.webhooks.listWebhooks(accountId) : [],
      this.jobs.getJobs(accountId, idsOf('job')),
    ]);
    return new Map<string, string | undefined>([
      ...members.map(({ member_id, display_name }) => [member_id, display_name] as const),
      ...computers.map(({ computer_id, name }) => [computer_id, name] as const),
      ...printers.map(({ printer_id, name }) => [printer_id, name] as const),
      ...keys.map(({ key_id, name, last4 }) => [key_id, name ?? `${unnamedKey}…${last4}`] as const),
      ...webhooks.map(({ webhook_id, description, url }) => [webhook_id, description ?? url] as const),
      ...jobs.map(({ job_id, title }) => [job_id, title] as const),
    ]);
  }
}
