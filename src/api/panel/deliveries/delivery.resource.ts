import {
  DELIVERY_STATUSES,
  type DeliveryEvent,
  type DeliveryFailureCode,
  type DeliveryStatus,
  FAILURE_CODES,
  PUBLIC_EVENT_TYPES,
  type PublicEventType,
} from '../../../contexts/webhooks/index.js';
import { Field, orNull } from '../../../http/validation/field.js';
import {
  count,
  dateTime,
  integer,
  object,
  objects,
  oneOf,
  shaped,
  text,
  uuid,
} from '../../../http/validation/rules.js';
import type { Actor, Recorded } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';
import { NamedActor } from '../actor-names.js';

const [MAX_URL, MAX_BODY, MAX_ANSWER] = [2_048, 1_048_576, 4_096];

export class PanelDelivery {
  @Field(uuid()) delivery_id!: string;
  @Field(uuid()) webhook_id!: string;
  @Field(uuid()) event_id!: string;
  @Field(oneOf(...PUBLIC_EVENT_TYPES)) event_type!: PublicEventType;
  @Field(oneOf(...DELIVERY_STATUSES)) status!: DeliveryStatus;
  @Field(count) attempt_count!: number;
  @Field(dateTime(), orNull) next_attempt_at!: Instant | null;
  @Field(integer(100, 999), orNull) response_status!: number | null;
  @Field(oneOf(...FAILURE_CODES), orNull) failure_code!: DeliveryFailureCode | null;
  @Field(dateTime()) created_at!: Instant;
  @Field(dateTime()) updated_at!: Instant;
  @Field(text({ max: MAX_URL }), { nullable: true, description: 'Its description, else its URL' })
  webhook_name!: string | null;
  @Field(uuid(), { nullable: true, description: 'Null for a test' }) job_id!: string | null;
  @Field(text({ max: 160 }), orNull) job_title!: string | null;

  static readonly example: PanelDelivery = {
    delivery_id: '019aa000-0000-5000-8000-0000000000e4',
    webhook_id: '019aa000-0000-7000-8000-0000000000f1',
    event_id: '019aa000-0000-7000-8000-0000000000e5',
    event_type: 'job.failed',
    status: 'retry_scheduled',
    attempt_count: 1,
    next_attempt_at: '2026-11-23T12:00:30.000Z',
    response_status: 500,
    failure_code: 'HTTP_STATUS',
    created_at: '2026-11-23T12:00:00.000Z',
    updated_at: '2026-11-23T12:00:00.000Z',
    webhook_name: 'Shop',
    job_id: '01990000-0000-7000-8000-000000000001',
    job_title: 'Invoice 88-B',
  };
}

export class PanelDeliveries {
  @Field(objects(() => PanelDelivery, 1_000), { description: 'Newest first' })
  items!: readonly PanelDelivery[];
}

export class PanelAttempt {
  @Field(integer(1, Number.MAX_SAFE_INTEGER)) attempt!: number;
  @Field(oneOf('schedule', 'manual')) trigger!: 'schedule' | 'manual';
  @Field(object(() => NamedActor)) actor!: NamedActor;
  @Field(dateTime()) started_at!: Instant;
  @Field(oneOf('in_flight', 'delivered', 'failed')) result!: 'in_flight' | 'delivered' | 'failed';
  @Field(integer(100, 999), orNull) response_status!: number | null;
  @Field(oneOf(...FAILURE_CODES), orNull) failure_code!: DeliveryFailureCode | null;
  @Field(count, orNull) duration_ms!: number | null;
  @Field(text({ max: MAX_ANSWER }), { nullable: true, description: 'The first KiB of the answer' })
  answer!: string | null;

  static readonly example: PanelAttempt = {
    attempt: 1,
    trigger: 'schedule',
    actor: { kind: 'process', id: 'webhook-dispatch', name: 'webhook-dispatch' },
    started_at: '2026-11-23T12:00:00.000Z',
    result: 'failed',
    response_status: 500,
    failure_code: 'HTTP_STATUS',
    duration_ms: 38,
    answer: 'Internal Server Error',
  };
}

/** What is sent, without the signatures. */
export class PanelDeliveryRequest {
  @Field(text({ max: MAX_URL })) url!: string;
  @Field(shaped({ type: 'object', additionalProperties: { type: 'string' } })) headers!: object;
  @Field(text({ max: MAX_BODY })) body!: string;

  static readonly example: PanelDeliveryRequest = {
    url: 'https://shop.example.com/hooks',
    headers: { 'content-type': 'application/json', 'x-svc-event': 'job.failed' },
    body: '{"event_type":"job.failed"}',
  };
}

export class PanelDeliveryDetail extends PanelDelivery {
  @Field(object(() => PanelDeliveryRequest), {
    nullable: true,
    description: 'Null if the webhook was deleted',
  })
  request!: PanelDeliveryRequest | null;
  @Field(objects(() => PanelAttempt, 1_000), { description: 'Oldest first' })
  attempts!: readonly PanelAttempt[];

  static override readonly example: PanelDeliveryDetail = {
    ...PanelDelivery.example,
    request: PanelDeliveryRequest.example,
    attempts: [PanelAttempt.example],
  };
}

type Unnamed = Omit<PanelAttempt, 'actor'> & { readonly actor: Actor };

/** The attempts in the stream of a delivery, oldest first. */
export function attemptsOf(events: readonly Recorded<DeliveryEvent>[]): readonly Unnamed[] {
  const attempts: Unnamed[] = [];
  for (const { type, data, metadata } of events) {
    // A recovery may create a removed delivery again, whose attempts count from 1.
    if (type === 'DeliveryRemoved') attempts.length = 0;
    if (type === 'DeliveryAttemptStarted') {
      const { attempt, trigger } = data;
      const nothingYet = { response_status: null, failure_code: null, duration_ms: null, answer: null };
      const start = { attempt, trigger, actor: metadata.actor, started_at: metadata.at };
      attempts.push({ ...start, result: 'in_flight', ...nothingYet });
    } else if (type === 'DeliverySucceeded' || type === 'DeliveryAttemptFailed') {
      const started = attempts.findIndex(({ attempt }) => attempt === data.attempt);
      if (started < 0) continue;
      attempts[started] = {
        ...attempts[started]!,
        result: type === 'DeliverySucceeded' ? 'delivered' : 'failed',
        response_status: data.responseStatus ?? null,
        failure_code: type === 'DeliverySucceeded' ? null : data.failureCode,
        duration_ms: data.durationMs,
        answer: data.responseBody ?? null,
      };
    }
  }
  return attempts;
}
