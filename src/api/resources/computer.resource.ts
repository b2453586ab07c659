import type { ComputerDocument } from '../../../projections/computers/computers.js';
import { COMPUTER_STATUSES, type ComputerStatus } from '../../contexts/devices/index.js';
import type { LivenessStore } from '../../event-sourcing/index.js';
import { Field, optional, present } from '../../http/validation/field.js';
import { constant, dateTime, oneOf, text, uuid } from '../../http/validation/rules.js';
import type { Instant } from '../../kernel/time.js';

const code = { inEvents: { type: 'string', pattern: '^PC-[0-9A-F]{8}$' } } as const;
/** Heartbeats are no events, so a past value is unknown; null would mean "never". */
const seen = { optional: true, nullable: true, inEvents: false } as const;

/** A computer as the Integration API, operators and webhooks show it. */
export class Computer {
  @Field(constant('svc_device_v1')) contract!: 'svc_device_v1';
  @Field(uuid()) computer_id!: string;
  @Field(text({ max: 40 }), code) friendly_code!: string;
  @Field(text({ max: 255 })) name!: string;
  @Field(text({ max: 255 }), optional) hostname?: string;
  @Field(text({ max: 120 }), optional) operating_system?: string;
  @Field(text({ max: 40 }), optional) agent_version?: string;
  @Field(text({ max: 40 }), optional) installer_version?: string;
  @Field(oneOf(...COMPUTER_STATUSES)) status!: ComputerStatus;
  @Field(dateTime(), seen) last_seen_at?: Instant | null;
  @Field(dateTime()) created_at!: Instant;
  @Field(dateTime()) updated_at!: Instant;

  static readonly example: Computer = {
    contract: 'svc_device_v1',
    computer_id: '019aa000-0000-7000-8000-0000000000c1',
    friendly_code: 'PC-5E6F7A8B',
    name: 'WAREHOUSE-1',
    hostname: 'WAREHOUSE-1',
    operating_system: 'Windows 11 Pro 24H2',
    agent_version: '2.0.59',
    status: 'online',
    last_seen_at: '2026-11-21T12:00:00.000Z',
    created_at: '2026-11-21T12:00:00.000Z',
    updated_at: '2026-11-21T12:00:00.000Z',
  };
}

export function computerResource(document: ComputerDocument, lastSeenAt: Instant | undefined): Computer {
  return present(Computer, document, { contract: 'svc_device_v1', last_seen_at: lastSeenAt });
}

/** Time of the last heartbeat of each computer, or of the computer of each printer. */
export const lastSeen = (liveness: LivenessStore, of: readonly { readonly computer_id: string }[]) =>
  liveness.lastHeartbeats(of.map(({ computer_id }) => `computer:${computer_id}`));
