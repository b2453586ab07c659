import { Inject, Injectable } from '@nestjs/common';
import { accounts, apiKeys, partnerCredentials, partners } from '../../../contexts/accounts/index.js';
import { alertsOfMember } from '../../../contexts/alerts/index.js';
import { claims } from '../../../contexts/claims/index.js';
import { computers, enrollments } from '../../../contexts/devices/index.js';
import { JOB } from '../../../contexts/jobs/index.js';
import { accesses, members, panelLinks, sessions } from '../../../contexts/members/index.js';
import { operatorTokens } from '../../../contexts/operators/index.js';
import { restores, rollbackAlarms } from '../../../contexts/recovery/index.js';
import { DELIVERY, endpoints } from '../../../contexts/webhooks/index.js';
import type { RecordedEvent } from '../../../kernel/recorded-event.js';

/** An aggregate of any events. */
interface Folded {
  readonly category: string;
  readonly decider: { readonly initialState: object; evolve(state: never, event: never): object };
}

const AGGREGATES: readonly Folded[] = [
  ...[accounts, apiKeys, partners, partnerCredentials, claims, computers, enrollments],
  ...[accesses, members, panelLinks, sessions, operatorTokens, restores, rollbackAlarms, endpoints],
  alertsOfMember,
];

/** Folds a stream with the decider that decided it. */
@Injectable()
export class StreamStates {
  private readonly byCategory: ReadonlyMap<string, Folded>;

  constructor(@Inject(JOB) jobs: Folded, @Inject(DELIVERY) deliveries: Folded) {
    this.byCategory = new Map(
      [...AGGREGATES, jobs, deliveries].map((aggregate) => [aggregate.category, aggregate]),
    );
  }

  /** The state after each event; undefined without a decider. @param events all of one stream, oldest first */
  after(events: readonly RecordedEvent[]): readonly object[] | undefined {
    const [first] = events;
    if (!first) return [];
    const category = first.stream.slice(0, first.stream.indexOf('-'));
    const aggregate = this.byCategory.get(category);
    if (!aggregate) return undefined;
    const { decider } = aggregate;
    let state: object = decider.initialState;
    return events.map((event) => (state = decider.evolve(state as never, event as never)));
  }
}
