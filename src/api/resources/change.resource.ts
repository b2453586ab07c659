import type { PublicEventType } from '../../contexts/webhooks/index.js';
import { Field, optional } from '../../http/validation/field.js';
import {
  boolean,
  constant,
  count,
  dateTime,
  object,
  objects,
  oneOf,
  text,
  uuid,
} from '../../http/validation/rules.js';
import type { Instant } from '../../kernel/time.js';
import { Computer } from './computer.resource.js';
import { CHANGE_TYPES, EVENT_CATALOGUE } from './event-catalogue.js';
import { PrintJob } from './print-job.resource.js';
import { Printer } from './printer.resource.js';

/** The body of a webhook but its data, which each surface shows in its own way. */
export abstract class ChangeHead {
  @Field(constant('svc_webhook_event_v1')) contract!: 'svc_webhook_event_v1';
  @Field(uuid()) event_id!: string;
  @Field(oneOf(...CHANGE_TYPES)) event_type!: PublicEventType;
  @Field(dateTime()) created_at!: Instant;
  @Field(count, { description: 'Orders the events of one resource' })
  sequence!: number;
  @Field(uuid()) account_id!: string;
  @Field(constant('live')) environment!: 'live';
}

/** What follows the items of a page. */
export abstract class ChangesEnd {
  @Field(text({ max: 256 }), { description: 'Go on with it as `after`; it is valid for ever' })
  next_cursor!: string;
  @Field(boolean(), { description: 'Ask again at once' }) has_more!: boolean;
}

export const EXAMPLE_PAGE = {
  items: EVENT_CATALOGUE.filter(({ event_type }) => event_type === 'job.queued').map(
    ({ example }) => example,
  ),
  next_cursor: 'qM1yT0c6u1gYcWZ9w2rXh3oJm4VbLk5s',
  has_more: false,
};

class ChangedResource {
  @Field(object(() => PrintJob), optional) job?: PrintJob;
  @Field(object(() => Computer), optional) computer?: Computer;
  @Field(object(() => Printer), optional) printer?: Printer;
}

export class Change extends ChangeHead {
  @Field(object(() => ChangedResource)) data!: ChangedResource;
}

export class ChangesPage extends ChangesEnd {
  @Field(objects(() => Change, 1_000)) items!: readonly Change[];

  static get example(): object {
    return EXAMPLE_PAGE;
  }
}
