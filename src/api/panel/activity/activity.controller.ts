import { Controller, Query } from '@nestjs/common';
import {
  PRESENCE_KEPT,
  PRESENCES,
  type Presence,
} from '../../../../projections/availability/availability.js';
import {
  AvailabilityQueries,
  type Strip,
} from '../../../../projections/availability/availability.queries.js';
import { ComputerQueries } from '../../../../projections/computers/computers.queries.js';
import { JobQueries } from '../../../../projections/job-view/job-view.queries.js';
import { PrinterQueries } from '../../../../projections/printers/printers.queries.js';
import { DeliveryQueries } from '../../../../projections/webhook-deliveries/webhook-deliveries.queries.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { Field } from '../../../http/validation/field.js';
import { dateTime, integer, objects, oneOf, text, uuid } from '../../../http/validation/rules.js';
import { Clock, later, plus, type Instant } from '../../../kernel/time.js';
import { Activity, activityOf, ActivityQuery, firstHour } from '../../resources/activity.resource.js';
import { panel } from '../panel.surface.js';
import type { MemberPrincipal } from '../session.authenticator.js';

const STRIPS = { computer: 50, printer: 100 } as const;
const MAX_STRIPS = STRIPS.computer + STRIPS.printer;

export class PresenceSince {
  @Field(oneOf(...PRESENCES.slice(0, -1))) state!: Presence;
  @Field(dateTime()) since!: Instant;
}

export class AvailabilityStrip {
  @Field(oneOf('computer', 'printer')) kind!: 'computer' | 'printer';
  @Field(uuid()) id!: string;
  @Field(text({ max: 240 })) name!: string;
  @Field(oneOf(...PRESENCES.slice(0, -1))) state!: Presence;
  @Field(dateTime()) since!: Instant;
  @Field(integer(0, 100), { description: 'How often it went offline' }) outages!: number;
  @Field(objects(() => PresenceSince, 101), { description: 'Oldest first; the last one is the present' })
  intervals!: readonly PresenceSince[];
}

export class AccountActivity extends Activity {
  @Field(objects(() => AvailabilityStrip, MAX_STRIPS), {
    description: 'Of the last 48 hours at most; the newest 50 computers and 100 printers',
  })
  availability!: readonly AvailabilityStrip[];

  static override readonly example: AccountActivity = {
    ...Activity.example,
    availability: [
      {
        kind: 'computer',
        id: '019aa000-0000-7000-8000-0000000000c1',
        name: 'RECEPTION',
        state: 'online',
        since: '2026-11-23T11:30:00.000Z',
        outages: 1,
        intervals: [
          { state: 'online', since: '2026-11-22T08:00:00.000Z' },
          { state: 'offline', since: '2026-11-23T11:10:00.000Z' },
          { state: 'online', since: '2026-11-23T11:30:00.000Z' },
        ],
      },
    ],
  };
}

const Operation = operationsOf(panel, { tag: 'Account' });

@Controller()
export class ActivityController {
  constructor(
    private readonly jobs: JobQueries,
    private readonly deliveries: DeliveryQueries,
    private readonly availability: AvailabilityQueries,
    private readonly computers: ComputerQueries,
    private readonly printers: PrinterQueries,
    private readonly clock: Clock,
  ) {}

  @Operation({
    id: 'getActivity',
    route: 'GET /v1/panel/activity',
    summary: 'Show jobs and webhook deliveries by hour, and when devices were online',
    scopes: ['jobs:read'],
    limit: { perMinute: 30 },
    query: ActivityQuery,
    success: ok('Counts by hour, and a strip for each computer and printer.', AccountActivity),
  })
  async get(@Query() { hours }: ActivityQuery, @Caller() { accountId }: MemberPrincipal) {
    const to = this.clock.now();
    const from = firstHour(to, hours);
    const since = later(from, plus(to, -PRESENCE_KEPT));
    const [jobs, deliveries, ...strips] = await Promise.all([
      this.jobs.hours(from, accountId),
      this.deliveries.hours(from, accountId),
      this.strips(accountId, 'computer', since),
      this.strips(accountId, 'printer', since),
    ]);
    return { ...activityOf({ from, to }, jobs, deliveries), availability: strips.flat() };
  }

  private async strips(
    accountId: string,
    kind: AvailabilityStrip['kind'],
    from: Instant,
  ): Promise<readonly AvailabilityStrip[]> {
    const strips = await this.availability.strips(accountId, kind, { from, limit: STRIPS[kind] });
    const named = await Promise.all(
      strips.map(async (strip) => ({ strip, name: await this.nameOf(accountId, kind, strip) })),
    );
    return named.flatMap(({ strip, name }) => (name === undefined ? [] : [{ kind, name, ...strip }]));
  }

  private async nameOf(accountId: string, kind: AvailabilityStrip['kind'], { id }: Strip) {
    const found =
      kind === 'computer'
        ? this.computers.getComputer(accountId, id)
        : this.printers.getPrinter(accountId, id);
    return (await found)?.name;
  }
}
