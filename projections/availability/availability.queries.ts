import { Injectable } from '@nestjs/common';
import { ViewStore } from '../../src/event-sourcing/index.js';
import type { Instant } from '../../src/kernel/time.js';
import {
  availabilityView,
  PRESENCES,
  type AvailabilityDocument,
  type PresenceInterval,
} from './availability.js';
import { viewModule } from '../view-module.js';

const SHOWN = PRESENCES.filter((state) => state !== 'gone');

/** One computer or printer within a range of time. */
export interface Strip extends PresenceInterval {
  readonly id: string;
  /** Oldest first; the last one is the present. The first one began before the range, if it is known so far back. */
  readonly intervals: readonly PresenceInterval[];
  readonly outages: number;
}

@Injectable()
export class AvailabilityQueries {
  constructor(private readonly views: ViewStore) {}

  /** Newest first, without revoked computers and removed printers. @param from at most `PRESENCE_KEPT` ago */
  async strips(
    accountId: string,
    kind: AvailabilityDocument['kind'],
    { from, limit }: { readonly from: Instant; readonly limit: number },
  ): Promise<readonly Strip[]> {
    const where = { account_id: accountId, kind, state: SHOWN };
    const query = { where, order: 'newest', limit } as const;
    const documents = await this.views.list(availabilityView, query);
    return documents.map((document) => stripOf(document, from));
  }

  /** By id: since when it has been as it is now. */
  async since(ids: readonly string[]): Promise<ReadonlyMap<string, Instant>> {
    const documents = await this.views.getMany(availabilityView, ids);
    return new Map(documents.map(({ id, since }) => [id, since]));
  }
}

function stripOf({ id, state, since, earlier }: AvailabilityDocument, from: Instant): Strip {
  const all = [...earlier, { state, since }];
  const intervals = all.filter((_, n) => n === all.length - 1 || all[n + 1]!.since > from);
  const outages = all.filter(
    (one, n) => one.state === 'offline' && all[n - 1]?.state === 'online' && one.since >= from,
  ).length;
  return { id, state, since, intervals, outages };
}

export const AvailabilityViewModule = viewModule(AvailabilityQueries);
