import type { DeliveryHourTotal } from '../../../projections/webhook-deliveries/webhook-deliveries.queries.js';
import type { JobHours } from '../../../projections/job-view/job-hours.js';
import { Field, orNull } from '../../http/validation/field.js';
import { count, dateTime, integer, type JsonSchema, objects } from '../../http/validation/rules.js';
import { plus, type Instant, type Milliseconds } from '../../kernel/time.js';

const HOUR: Milliseconds = 3_600_000;
export const MAX_HOURS = 30 * 24;

export class ActivityQuery {
  @Field(integer(2, MAX_HOURS), { optional: true, default: 48, description: 'The present hour is the last' })
  hours: number = 48;
}

/** Jobs created within one hour, by the status that they have now. */
export class HourOfJobs {
  @Field(dateTime(), { description: 'When the hour began, in UTC' }) hour!: Instant;
  @Field(count) created!: number;
  @Field(count) completed!: number;
  @Field(count, { description: 'Also those of which a retry is scheduled' }) failed!: number;
  @Field(count) in_review!: number;
  @Field(count) expired!: number;
  @Field(count) cancelled!: number;
  @Field(count, { description: 'Waiting, or at the Agent or the spooler' }) unfinished!: number;
  @Field(count, { nullable: true, description: 'Half of them were at the spooler within this time' })
  p50_ms!: Milliseconds | null;
  @Field(count, { nullable: true, description: 'Of 95 %' }) p95_ms!: Milliseconds | null;
}

/** Webhook deliveries created within one hour, by the status that they have now. */
export class HourOfDeliveries {
  @Field(dateTime(), { description: 'When the hour began, in UTC' }) hour!: Instant;
  @Field(count) delivered!: number;
  @Field(count, { description: 'Tried no more' }) failed!: number;
  @Field(count, { description: 'Cancelled, or not ended yet' }) other!: number;
}

/** Jobs and webhook deliveries by hour. Hours without any are left out. */
export class Activity {
  @Field(dateTime()) from!: Instant;
  @Field(dateTime()) to!: Instant;
  @Field(objects(() => HourOfJobs, MAX_HOURS), { description: 'Oldest first' })
  jobs!: readonly HourOfJobs[];
  @Field(count, { nullable: true, description: 'Of all jobs, from creation to the spooler' })
  p50_ms!: Milliseconds | null;
  @Field(count, orNull) p95_ms!: Milliseconds | null;
  @Field(objects(() => HourOfDeliveries, MAX_HOURS), { description: 'Oldest first' })
  deliveries!: readonly HourOfDeliveries[];

  static readonly example: Activity = {
    from: '2026-11-23T11:00:00.000Z',
    to: '2026-11-23T12:20:00.000Z',
    jobs: [
      {
        hour: '2026-11-23T12:00:00.000Z',
        ...{ created: 12, completed: 10, failed: 1, in_review: 0, expired: 0, cancelled: 0, unfinished: 1 },
        ...{ p50_ms: 320, p95_ms: 2_100 },
      },
    ],
    ...{ p50_ms: 320, p95_ms: 2_100 },
    deliveries: [{ hour: '2026-11-23T12:00:00.000Z', delivered: 22, failed: 0, other: 1 }],
  };
}

/** When the oldest of that many hours began; the present one is the last. */
export function firstHour(now: Instant, hours: number): Instant {
  return beginOf(plus(now, -(hours - 1) * HOUR).slice(0, 'YYYY-MM-DDTHH'.length));
}

export function activityOf(
  range: { readonly from: Instant; readonly to: Instant },
  { hours, p50, p95 }: JobHours,
  deliveries: readonly DeliveryHourTotal[],
): Activity {
  return {
    ...range,
    jobs: hours.map(hourOfJobs),
    p50_ms: p50 ?? null,
    p95_ms: p95 ?? null,
    deliveries: hoursOfDeliveries(deliveries),
  };
}

const beginOf = (hour: string): Instant => `${hour}:00:00.000Z`;
const sum = (counts: readonly number[]) => counts.reduce((all, n) => all + n, 0);

function hourOfJobs({ hour, jobs, p50, p95 }: JobHours['hours'][number]): HourOfJobs {
  const ended = {
    completed: jobs.spooler_completed ?? 0,
    failed: jobs.failed ?? 0,
    in_review: jobs.manual_review ?? 0,
    expired: jobs.expired ?? 0,
    cancelled: jobs.cancelled ?? 0,
  };
  const created = sum(Object.values(jobs));
  const unfinished = created - sum(Object.values(ended));
  return { hour: beginOf(hour), created, ...ended, unfinished, p50_ms: p50 ?? null, p95_ms: p95 ?? null };
}

function hoursOfDeliveries(totals: readonly DeliveryHourTotal[]): readonly HourOfDeliveries[] {
  const hours = [...new Set(totals.map(({ hour }) => hour))].sort();
  return hours.map((hour) => {
    const of = (isCounted: (status: DeliveryHourTotal['status']) => boolean) =>
      sum(totals.filter((one) => one.hour === hour && isCounted(one.status)).map(({ n }) => n));
    const [delivered, failed] = [of((one) => one === 'delivered'), of((one) => one === 'dead_letter')];
    return { hour: beginOf(hour), delivered, failed, other: of(() => true) - delivered - failed };
  });
}

export const countsSchema = (names: readonly string[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'integer', minimum: 0 }])),
  required: [...names],
});

export async function countEach<K extends string>(keys: readonly K[], count: (key: K) => Promise<number>) {
  const counted = await Promise.all(keys.map(async (key) => [key, await count(key)] as const));
  return Object.fromEntries(counted) as Readonly<Record<K, number>>;
}
