import { Controller, Inject, Query } from '@nestjs/common';
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
  count,
  dateTime,
  decimal,
  integer,
  object,
  objects,
  oneOf,
  shaped,
  text,
} from '../../../http/validation/rules.js';
import { type Checks, type Details, isReady, Readiness } from '../../../kernel/readiness.js';
import { Clock, type Instant, type Milliseconds, plus } from '../../../kernel/time.js';
import {
  Activity,
  activityOf,
  ActivityQuery,
  countEach,
  countsSchema,
  firstHour,
} from '../../resources/activity.resource.js';
import { OperatorOperation } from '../operator.surface.js';

const KINDS = [
  'not_ready',
  'store_rolled_back',
  'disk_low',
  'timers_overdue',
  'device_credentials_end',
] as const;

/** `rps doctor` warns below the same room. */
const LITTLE_ROOM_BYTES = 1_024 * 1_048_576;

export class ServiceAttention {
  @Field(oneOf(...KINDS)) kind!: (typeof KINDS)[number];
  @Field(count, {
    description: 'Failing checks, free MiB, timers or computers; 1 for a store that was rolled back',
  })
  count!: number;
}

export const MAX_ATTENTION = KINDS.length;

interface Condition {
  readonly checks: Checks;
  readonly details: Details;
  /** On the volume of the data folder; undefined if it is not known. */
  readonly freeBytes: number | undefined;
  readonly overdueTimers: number;
  readonly credentialsEnding: number;
}

export function serviceAttention(condition: Condition): readonly ServiceAttention[] {
  const { checks, details, freeBytes, overdueTimers, credentialsEnding } = condition;
  const failing = Object.values(checks).filter((check) => !isReady({ check })).length;
  const isLow = freeBytes !== undefined && freeBytes < LITTLE_ROOM_BYTES;
  const all: readonly (false | ServiceAttention)[] = [
    failing > 0 && { kind: 'not_ready', count: failing },
    details.store_rolled_back === 1 && { kind: 'store_rolled_back', count: 1 },
    isLow && { kind: 'disk_low', count: Math.floor(freeBytes / 1_048_576) },
    overdueTimers > 0 && { kind: 'timers_overdue', count: overdueTimers },
    credentialsEnding > 0 && { kind: 'device_credentials_end', count: credentialsEnding },
  ];
  return all.filter((one) => one !== false);
}

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
  @Field(shaped(countsSchema(QUEUES)), { description: 'Unfinished webhook deliveries' })
  deliveries!: Readonly<Record<string, number>>;
  @Field(shaped(countsSchema(JOB_STATUSES)), { description: 'Of all accounts, by status' })
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

const MINUTES = 60;
const rate = decimal(0, Number.MAX_SAFE_INTEGER);

export class ServiceActivity extends Activity {
  @Field(rate, { description: 'Created within the last full hour' }) jobs_per_minute!: number;
  @Field(rate, { description: 'Created within the last full hour' }) deliveries_per_minute!: number;
  @Field(decimal(0, 1), {
    description: 'Of the jobs of the last full hour, those that failed or need a decision',
  })
  failed_share!: number;

  static override readonly example: ServiceActivity = {
    ...Activity.example,
    ...{ jobs_per_minute: 4.2, deliveries_per_minute: 8.1, failed_share: 0.01 },
  };
}

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

  @OperatorOperation({
    id: 'getServiceActivity',
    route: 'GET /v1/operator/activity',
    summary: 'Show jobs and webhook deliveries of all accounts by hour, and their rates',
    tag: 'Service',
    query: ActivityQuery,
    type: ServiceActivity,
  })
  async activity(@Query() { hours }: ActivityQuery): Promise<ServiceActivity> {
    const to = this.clock.now();
    const from = firstHour(to, hours);
    const [jobs, deliveries] = await Promise.all([this.jobs.hours(from), this.deliveries.hours(from)]);
    const activity = activityOf({ from, to }, jobs, deliveries);
    return { ...activity, ...ratesOf(activity, firstHour(to, 2)) };
  }
}

function ratesOf({ jobs, deliveries }: Activity, fullHour: Instant) {
  const ofJobs = jobs.find(({ hour }) => hour === fullHour);
  const ofDeliveries = deliveries.find(({ hour }) => hour === fullHour);
  const { created = 0, failed = 0, in_review = 0 } = ofJobs ?? {};
  const { delivered = 0, failed: undelivered = 0, other = 0 } = ofDeliveries ?? {};
  return {
    jobs_per_minute: created / MINUTES,
    deliveries_per_minute: (delivered + undelivered + other) / MINUTES,
    failed_share: created === 0 ? 0 : (failed + in_review) / created,
  };
}
