import { Injectable } from '@nestjs/common';
import type { AuditSubject } from '../../../../projections/audit/audit.js';
import { ComputerQueries } from '../../../../projections/computers/computers.queries.js';
import { ApiKeyQueries } from '../../../../projections/credentials/credentials.queries.js';
import { JobQueries } from '../../../../projections/job-view/job-view.queries.js';
import { MemberQueries } from '../../../../projections/members/members.queries.js';
import { PrinterQueries } from '../../../../projections/printers/printers.queries.js';
import { WebhookQueries } from '../../../../projections/webhook-endpoints/webhook-endpoints.queries.js';

/** Names of what the audit of one account is about, as they are now. */
@Injectable()
export class SubjectNames {
  constructor(
    private readonly members: MemberQueries,
    private readonly computers: ComputerQueries,
    private readonly printers: PrinterQueries,
    private readonly keys: ApiKeyQueries,
    private readonly webhooks: WebhookQueries,
    private readonly jobs: JobQueries,
  ) {}

  /** Resolves to a function that names these subjects; null for one without a name, or that is gone. */
  async of(
    accountId: string,
    subjects: readonly AuditSubject[],
  ): Promise<(subject: AuditSubject) => string | null> {
    const idsOf = (kind: AuditSubject['kind']) => [
      ...new Set(subjects.filter((subject) => subject.kind === kind).map(({ id }) => id)),
    ];
    const [members, computers, printers, keys, webhooks, jobs] = await Promise.all([
      this.members.getMembers(accountId, idsOf('member')),
      this.computers.getComputers(accountId, idsOf('computer')),
      this.printers.getPrinters(accountId, idsOf('printer')),
      this.keys.getKeys(accountId, idsOf('api_key')),
      idsOf('webhook').length > 0 ? this.webhooks.listWebhooks(accountId) : [],
      this.jobs.getJobs(accountId, idsOf('job')),
    ]);
    const names = new Map<string, string | undefined>([
      ...members.map(({ member_id, display_name }) => [member_id, display_name] as const),
      ...computers.map(({ computer_id, name }) => [computer_id, name] as const),
      ...printers.map(({ printer_id, name }) => [printer_id, name] as const),
      ...keys.map(({ key_id, name, last4 }) => [key_id, name ?? `…${last4}`] as const),
      ...webhooks.map(({ webhook_id, description, url }) => [webhook_id, description ?? url] as const),
      ...jobs.map(({ job_id, title }) => [job_id, title] as const),
    ]);
    return ({ id }) => names.get(id) ?? null;
  }
}
