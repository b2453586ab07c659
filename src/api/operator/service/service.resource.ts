import { JOB_STATUSES } from '../../../contexts/jobs/index.js';
import { Field } from '../../../http/validation/field.js';
import {
  boolean,
  constant,
  dateTime,
  integer,
  type JsonSchema,
  object,
  objects,
  oneOf,
  shaped,
  text,
} from '../../../http/validation/rules.js';
import type { Instant } from '../../../kernel/time.js';
import { StoredEvent } from '../../resources/stored-event.resource.js';

const count = integer(0, Number.MAX_SAFE_INTEGER);
const counts = (names: readonly string[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'integer', minimum: 0 }])),
  required: [...names],
});
const CHECKS = { type: 'object', additionalProperties: { enum: ['ok', 'failing', 'lagging'] } };
const digest = text({ max: 128 });

class ServiceVersions {
  @Field(text({ max: 40 })) product!: string;
  @Field(constant('v1')) contract!: 'v1';
}

class ViewState {
  @Field(text({ max: 60 })) name!: string;
  @Field(integer(1, Number.MAX_SAFE_INTEGER)) version!: number;
  @Field(text({ max: 20 }), { optional: true, description: 'Of the last event it has seen' })
  position?: string;
  @Field(count, { description: 'Events it is behind' }) lag!: number;
}

/** The state of the installation, as this instance sees it. */
export class ServiceState {
  @Field(boolean()) ready!: boolean;
  @Field(shaped(CHECKS)) checks!: Readonly<Record<string, string>>;
  @Field(object(() => ServiceVersions)) versions!: ServiceVersions;
  @Field(oneOf('embedded', 'servers')) stores!: string;
  @Field(oneOf('all', 'api', 'worker')) role!: string;
  @Field(objects(() => ViewState, 100))
  views!: readonly ViewState[];
  @Field(count, { description: 'Due for more than a minute; at most 100 are counted' })
  overdue_timers!: number;
  @Field(count, { description: 'Device credentials that end within 14 days; at most 100 are counted' })
  credentials_ending!: number;
  @Field(shaped(counts(['ready', 'waiting', 'in_flight'])), { description: 'Unfinished webhook deliveries' })
  deliveries!: Readonly<Record<string, number>>;
  @Field(shaped(counts(JOB_STATUSES)), { description: 'Of all accounts, by status' })
  jobs!: Readonly<Record<string, number>>;
  @Field(dateTime()) time!: Instant;

  static readonly example: ServiceState = {
    ready: true,
    checks: { event_store: 'ok', read_store: 'ok', projections: 'ok' },
    versions: { product: '2.0.59', contract: 'v1' },
    stores: 'embedded',
    role: 'all',
    views: [{ name: 'job-view', version: 2, position: '00000000000000000042', lag: 0 }],
    overdue_timers: 0,
    credentials_ending: 0,
    deliveries: { ready: 0, waiting: 2, in_flight: 1 },
    jobs: Object.fromEntries(JOB_STATUSES.map((status) => [status, 0])),
    time: '2026-11-23T12:00:00.000Z',
  };
}

export class StoredEvents {
  @Field(objects(() => StoredEvent, 1_000), { description: 'Oldest first' })
  items!: readonly StoredEvent[];
  @Field(boolean()) has_more!: boolean;

  static readonly example: StoredEvents = { items: [StoredEvent.example], has_more: false };
}

class ViewVerified {
  @Field(text({ max: 60 })) name!: string;
  @Field(boolean()) equal!: boolean;
  @Field(count) documents!: number;
  @Field(digest) live_digest!: string;
  @Field(digest) replay_digest!: string;
}

export class ViewVerifications {
  @Field(objects(() => ViewVerified, 100))
  items!: readonly ViewVerified[];

  static readonly example: ViewVerifications = {
    items: [{ name: 'job-view', equal: true, documents: 3, live_digest: 'ab12', replay_digest: 'ab12' }],
  };
}
