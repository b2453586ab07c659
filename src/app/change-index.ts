import { LRUCache } from 'lru-cache';
import { growingTo } from '../kernel/cache-size.js';
import type { Logger } from 'pino';
import { publicTypeOf, type WebhookPayloads } from '../contexts/webhooks/index.js';
import { LogIndex, type Stores } from '../event-sourcing/index.js';
import { categoryOf, streamOf } from '../kernel/ids.js';
import type { RecordedEvent } from '../kernel/recorded-event.js';
import type { Clock } from '../kernel/time.js';
import { retriedFailures } from './retried-failures.js';

/**
 * Raise it when other events become public. Instances of an older release then lose their blocks, so that release must not
 * run beside them.
 */
const VERSION = 1;
const CACHED_ACCOUNTS = 20_000;
/** Tests of webhooks concern their receivers only. */
const isPublic = (event: RecordedEvent) =>
  publicTypeOf(event) !== undefined && event.type !== 'WebhookTestRequested';

interface Dependencies {
  readonly stores: Stores;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly payloads: WebhookPayloads;
}

/** Public events by account, and by the partner that provisioned the account. */
export function changeIndexOf({ stores, clock, logger, payloads }: Dependencies): LogIndex {
  const { events, checkpoints, indexBlocks: blocks } = stores;
  /** Accounts with the partner that provisioned them, if not the operator did. */
  const owners = new LRUCache<string, readonly string[]>(growingTo(CACHED_ACCOUNTS));
  events.listen({ rolledBack: () => owners.clear() });
  const ownersOf = async (event: RecordedEvent) => {
    const accountId = await payloads.accountOf(event);
    if (accountId === undefined) return [];
    const known = owners.get(accountId);
    if (known) return known;
    const [opened] = await events.load(streamOf('account', accountId), { max: 1 });
    const { partnerId = '' } = (opened?.data ?? {}) as { readonly partnerId?: string };
    const found = partnerId === '' ? [accountId] : [accountId, partnerId];
    owners.set(accountId, found);
    return found;
  };
  /** Old deliveries are removed. */
  const isLasting = ({ stream }: RecordedEvent) => categoryOf(stream) !== 'delivery';
  const failures = retriedFailures(logger);
  const onError = (error: unknown) => failures(error, 'indexing the changes failed; it is tried again');
  return new LogIndex({ events, checkpoints, blocks }, clock, {
    ...{ name: `changes-${VERSION}`, isPublic, ownersOf, isLasting, onError },
  });
}
