import { categoryOf, idOf } from '../../../kernel/ids.js';
import type { Position, RecordedEvent } from '../../../kernel/recorded-event.js';

/** What a message of the feed names. */
export type ChangedKind = 'jobs' | 'computers' | 'printers' | 'webhooks' | 'deliveries';

const KINDS: readonly ChangedKind[] = ['jobs', 'computers', 'printers', 'webhooks', 'deliveries'];

/** More ids than this are not listed: the page reads everything again. */
const MAX_LISTED = 200;

/** A changed resource, and the stream by which its account is found. */
export interface Change {
  readonly kind: ChangedKind;
  readonly id: string;
  readonly owner: 'job' | 'computer' | 'delivery' | 'account';
  readonly ownerId: string;
}

const ids = (event: RecordedEvent) =>
  event.data as { readonly printerId?: string; readonly webhookId?: string };

/** What an event changes for the pages; undefined if nothing. */
export function changeOf(event: RecordedEvent): Change | undefined {
  const ownerId = idOf(event.stream);
  switch (categoryOf(event.stream)) {
    case 'job':
      return { kind: 'jobs', id: ownerId, owner: 'job', ownerId };
    case 'delivery':
      return { kind: 'deliveries', id: ownerId, owner: 'delivery', ownerId };
    case 'computer': {
      const { printerId } = ids(event);
      if (printerId) return { kind: 'printers', id: printerId, owner: 'computer', ownerId };
      return { kind: 'computers', id: ownerId, owner: 'computer', ownerId };
    }
    case 'webhooks': {
      const { webhookId } = ids(event);
      return webhookId ? { kind: 'webhooks', id: webhookId, owner: 'account', ownerId } : undefined;
    }
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
