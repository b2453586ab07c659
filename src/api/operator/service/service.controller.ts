import { Controller, Inject } from '@nestjs/common';
import { ComputerQueries } from '../../../../projections/computers/computers.queries.js';
import { JobQueries } from '../../../../projections/job-view/job-view.queries.js';
import { DeliveryQueries } from '../../../../projections/webhook-deliveries/webhook-deliveries.queries.js';
import { JOB_STATUSES } from '../../../contexts/jobs/index.js';
import { DueTimers, ViewMaintenance } from '../../../event-sourcing/index.js';
import { PRODUCT_VERSION } from '../../../http/surface.js';
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
import { isReady, Readiness } from '../../../kernel/readiness.js';
import { Clock, type Instant, type Milliseconds, plus } from '../../../kernel/time.js';
import { MAX_ATTENTION, ServiceAttention, serviceAttention } from './service-attention.js';
import { OperatorOperation } from '../operator.surface.js';

/** How this instance was started. */
export interface Installation {
  readonly stores: 'embedded' | 'servers';
  readonly role: 'all' | 'api' | 'worker';
}

/** Resolves to the free bytes of the volume with the embedded stores; undefined without them. Provider token. */
export const FREE_SPACE = Symbol('free space');
export type FreeSpace = () => Promise<number | undefined>;

/** Provider token. */
export const INSTALLATION = Symbol('how this instance was started');

const QUEUES = ['ready', 'waiting', 'in_flight'] as const;
/** Timers are sent within seconds; one that is due for longer is stuck, or no worker runs. */
const OVERDUE: Milliseconds = 60_000;
/** Counting of overdue timers and of ending credentials stops here. */
const COUNTED = 100;

const count = integer(0, Number.MAX_SAFE_INTEGER);
const counts = (names: readonly string[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'integer', minimum: 0 }])),
  required: [...names],
});
const CHECKS = { type: 'object', additionalProperties: { enum: ['ok', 'failing', 'lagging'] } };

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
  @Field(objects(() => ServiceAttention, MAX_ATTENTION))
  attention!: readonly ServiceAttention[];
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
    attention: [{ kind: 'disk_low', count: 812 }],
    time: '2026-11-23T12:00:00.000Z',
  };
}

/** What an operator looks at first. */
@Controller()
export class OperatorServiceController {
  constructor(
    private readonly readiness: Readiness,
    private readonly maintenance: ViewMaintenance,
    private readonly jobs: JobQueries,
    private readonly deliveries: DeliveryQueries,
    private readonly timers: DueTimers,
    private readonly computers: ComputerQueries,
    private readonly clock: Clock,
    @Inject(PRODUCT_VERSION) private readonly product: string,
    @Inject(INSTALLATION) private readonly installation: Installation,
    @Inject(FREE_SPACE) private readonly freeSpace: FreeSpace,
  ) {}

  @OperatorOperation({
    id: 'getService',
    route: 'GET /v1/operator/service',
    summary: 'Get health, versions, read models, timers and queues of the installation',
    tag: 'Service',
    type: ServiceState,
  })
  async get() {
    const now = this.clock.now();
    const [checks, details, freeBytes, views, jobs, deliveries, overdueTimers, credentialsEnding] =
      await Promise.all([
        this.readiness.check(),
        this.readiness.details(),
        this.freeSpace(),
        this.maintenance.list(),
        countEach(JOB_STATUSES, (status) => this.jobs.countInStatus(status)),
        countEach(QUEUES, (queue) => this.deliveries.countIn(queue)),
        this.timers.countDueSince(plus(now, -OVERDUE), COUNTED),
        this.computers.countEndingCredentials(now, COUNTED),
      ]);
    return {
      ready: isReady(checks),
      checks,
      versions: { product: this.product, contract: 'v1' },
      ...this.installation,
      views,
      overdue_timers: overdueTimers,
      credentials_ending: credentialsEnding,
      deliveries,
      jobs,
      attention: serviceAttention({ checks, details, freeBytes, overdueTimers, credentialsEnding }),
      time: now,
    };
  }
}

async function countEach<K extends string>(keys: readonly K[], count: (key: K) => Promise<number>) {
  const counted = await Promise.all(keys.map(async (key) => [key, await count(key)] as const));
  return Object.fromEntries(counted) as Readonly<Record<K, number>>;
}
