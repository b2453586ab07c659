import { Controller } from '@nestjs/common';
import { EvidenceLog } from '../../../evidence/evidence-log.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Field } from '../../../http/validation/field.js';
import { boolean, dateTime, integer } from '../../../http/validation/rules.js';
import type { Instant } from '../../../kernel/time.js';
import { panel } from '../panel.surface.js';

/** How far the evidence log is, which is one for all accounts. */
export class EvidenceStatus {
  @Field(dateTime(), { nullable: true, description: 'Of the newest checkpoint; null before the first' })
  checkpoint_at!: Instant | null;
  @Field(integer(0, Number.MAX_SAFE_INTEGER), {
    description: 'Events of all accounts that the newest checkpoint covers',
  })
  events!: number;
  @Field(integer(0, Number.MAX_SAFE_INTEGER), { description: 'Logged events that it does not cover yet' })
  events_behind!: number;
  @Field(boolean(), { description: 'The log does not fit the stored events: nothing is signed' })
  halted!: boolean;

  static readonly example: EvidenceStatus = {
    checkpoint_at: '2026-11-23T12:00:00.000Z',
    ...{ events: 48_211, events_behind: 3, halted: false },
  };
}

const Operation = operationsOf(panel, { tag: 'Account' });

/** The proofs themselves are those of the Integration API, which takes the session too. */
@Controller()
export class PanelEvidenceController {
  constructor(private readonly log: EvidenceLog) {}

  @Operation({
    id: 'getEvidenceStatus',
    route: 'GET /v1/panel/evidence',
    summary: 'Get the state of the evidence log',
    scopes: ['evidence:read'],
    limit: { perMinute: 60 },
    success: ok('How far the log is.', EvidenceStatus),
  })
  async status(): Promise<EvidenceStatus> {
    const { size, log, halt } = await this.log.progress();
    const { at, size: events } = log?.checkpoint ?? { at: null, size: 0 };
    // While the hashes are built again, fewer are logged than the newest checkpoint covers.
    const events_behind = Math.max(0, size - events);
    return { checkpoint_at: at, events, events_behind, halted: halt !== undefined };
  }
}
