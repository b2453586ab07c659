import { Controller, Query } from '@nestjs/common';
import { JobQueries } from '../../../../projections/job-view/job-view.queries.js';
import { DeliveryQueries } from '../../../../projections/webhook-deliveries/webhook-deliveries.queries.js';
import { Field } from '../../../http/validation/field.js';
import { decimal } from '../../../http/validation/rules.js';
import { Clock, type Instant } from '../../../kernel/time.js';
import { Activity, activityOf, ActivityQuery, firstHour } from '../../resources/activity.resource.js';
import { OperatorOperation } from '../operator.surface.js';

const MINUTES = 60;
const rate = decimal(0, Number.MAX_SAFE_INTEGER);

/** What all accounts did by hour. */
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
export class OperatorActivityController {
  constructor(
    private readonly jobs: JobQueries,
    private readonly deliveries: DeliveryQueries,
    private readonly clock: Clock,
  ) {}

  @OperatorOperation({
    id: 'getServiceActivity',
    route: 'GET /v1/operator/activity',
    summary: 'Show jobs and webhook deliveries of all accounts by hour, and their rates',
    tag: 'Service',
    query: ActivityQuery,
    type: ServiceActivity,
  })
  async get(@Query() { hours }: ActivityQuery): Promise<ServiceActivity> {
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
