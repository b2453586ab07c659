import * as columns from './columns.js';
import type { Command, Input } from './command.js';
import { account, count, get, idOf, inAccount, list, onOff, option, post } from './inputs.js';

const webhook: Input = { ...idOf('webhook'), field: 'webhook_id' };
const eventTypes = option('event_types', 'separated by commas (default: all)', 'A,B', list);
const settings: readonly Input[] = [
  eventTypes,
  option('description', 'a text for people', 'TEXT'),
  option('ordered', 'one delivery of a job at a time, in order: on or off', 'on|off', onOff),
];

/** An operation of the Integration API on one webhook. */
const onOne = (verb: string, path: string, says: string, more: Partial<Command> = {}): Command =>
  post(`webhook ${verb}`, path, says, {
    ...{ surface: 'integration', args: [webhook], ...more },
    flags: [inAccount, ...(more.flags ?? [])],
  });

const delivered = {
  part: 'delivery',
  columns: { attempts: columns.ATTEMPTS },
  fails: ({ status }: Readonly<Record<string, unknown>>) => status !== 'delivered',
} as const;

export const webhookCommands: readonly Command[] = [
  get('webhook list', '/accounts/{account}/webhooks', 'list the webhooks of an account with their health', {
    ...{ lists: 'webhook', names: ['url'] },
    flags: [account],
    columns: { items: columns.WEBHOOKS },
  }),
  get('webhook show', '/accounts/{account}/webhooks', 'show a webhook with its health and recovery', {
    args: [{ ...webhook, unsent: true }],
    flags: [account],
    pick: 'webhook_id',
  }),
  onOne('create', '/svc-create-webhook', 'send events to an address; the secret is shown only now', {
    args: [option('url', 'https address of the receiver', 'URL')],
    flags: settings,
  }),
  onOne('set', '/svc-update-webhook', 'change a webhook', {
    flags: [
      // Not --url, which is the address of the service.
      { ...option('url', 'another address of the receiver', 'URL'), flag: 'new-url' },
      ...settings,
      { field: 'rotate_secret', summary: 'make a new secret, which is shown only now' },
    ],
  }),
  onOne('pause', '/svc-update-webhook', 'send nothing to a webhook until it is resumed', {
    ...{ body: { status: 'paused' }, part: 'webhook' },
  }),
  onOne('resume', '/svc-update-webhook', 'send to a paused webhook again', {
    ...{ body: { status: 'active' }, part: 'webhook' },
    flags: [{ field: 'recover', summary: 'also what happened while it was paused' }],
  }),
  onOne('delete', '/svc-delete-webhook', 'delete a webhook and cancel its deliveries', { part: 'webhook' }),
  onOne('test', '/svc-test-webhook', 'send a test event; exit 1 unless it is delivered', delivered),
  onOne('deliveries', '/svc-list-webhook-deliveries', 'list deliveries, newest first', {
    args: [{ ...webhook, optional: true, summary: 'only of this webhook' }],
    flags: [
      option('status', 'only in this status, as dead_letter', 'STATUS'),
      option('event_type', 'only of this type, as job.failed', 'TYPE'),
      { ...option('job_id', 'only of this job', 'ID'), flag: 'job' },
      option('limit', 'at most so many, 1 to 100 (default 50)', 'N', count),
    ],
    ...{ reads: true, lists: 'delivery' },
    columns: { items: columns.DELIVERIES },
  }),
  onOne('retry', '/svc-retry-webhook', 'try a delivery again; exit 1 unless it is delivered', {
    args: [{ ...idOf('delivery'), field: 'delivery_id' }],
    ...delivered,
  }),
  onOne('recover', '/svc-recover-webhook', 'deliver what a webhook missed', {
    flags: [
      { ...option('since', 'time of the first event (RFC 3339)', 'TIME'), required: true },
      option('until', 'time of the last event (default: now)', 'TIME'),
      { ...eventTypes, summary: 'separated by commas (default: all of the webhook)' },
      { field: 'dry_run', summary: 'only count' },
      { field: 'include_delivered', summary: 'send delivered events again' },
    ],
  }),
];
