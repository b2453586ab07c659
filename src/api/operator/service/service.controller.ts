import { Controller, Inject } from '@nestjs/common';
import { ComputerQueries } from '../../../../projections/computers/computers.queries.js';
import { JobQueries } from '../../../../projections/job-view/job-view.queries.js';
import { DeliveryQueries } from '../../../../projections/webhook-deliveries/webhook-deliveries.queries.js';
import { JOB_STATUSES } from '../../../contexts/jobs/index.js';
import { TimerQueries, ViewMaintenance } from '../../../event-sourcing/index.js';
import { PRODUCT_VERSION } from '../../../http/surface.js';
import { isReady, Readiness } from '../../../kernel/readiness.js';
import { Clock, type Milliseconds, plus } from '../../../kernel/time.js';
import { OperatorOperation } from '../operator.surface.js';
import { ServiceState } from './service.resource.js';

/** How this instance was started. */
export interface Installation {
  readonly stores: 'embedded' | 'servers';
  readonly role: 'all' | 'api' | 'worker';
}

/** Provider token. */
export const INSTALLATION = Symbol('how this instance was started');

const QUEUES = ['ready', 'waiting', 'in_flight'] as const;
/** Timers are sent within seconds; one that is due for longer is stuck, or no worker runs. */
const OVERDUE: Milliseconds = 60_000;
/** Counting of overdue timers and of ending credentials stops here. */
const COUNTED = 100;

/** What an operator looks at first. */
@Controller()
export class OperatorServiceController {
  constructor(
    private readonly readiness: Readiness,
    private readonly maintenance: ViewMaintenance,
    private readonly jobs: JobQueries,
    private readonly deliveries: DeliveryQueries,
    private readonly timers: TimerQueries,
    private readonly computers: ComputerQueries,
    private readonly clock: Clock,
    @Inject(PRODUCT_VERSION) private readonly product: string,
    @Inject(INSTALLATION) private readonly installation: Installation,
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
    const [checks, views, jobs, deliveries, overdue, credentialsEnding] = await Promise.all([
      this.readiness.check(),
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
      overdue_timers: overdue,
      credentials_ending: credentialsEnding,
      deliveries,
      jobs,
      time: now,
    };
  }
}

async function countEach<K extends string>(keys: readonly K[], count: (key: K) => Promise<number>) {
  const counted = await Promise.all(keys.map(async (key) => [key, await count(key)] as const));
  return Object.fromEntries(counted) as Readonly<Record<K, number>>;
}
