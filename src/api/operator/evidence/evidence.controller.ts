import { Controller } from '@nestjs/common';
import { EvidenceLog } from '../../../evidence/evidence-log.js';
import type { Progress } from '../../../evidence/progress.js';
import { Caller, type Calling } from '../../../http/request.js';
import { OperatorOperation } from '../operator.surface.js';

/** Reads all events, or writes for good. */
const RARELY = { perMinute: 20 };

/** The log that shows whether stored events were changed. */
@Controller()
export class OperatorEvidenceController {
  constructor(private readonly log: EvidenceLog) {}

  @OperatorOperation({
    id: 'getEvidenceLog',
    route: 'GET /v1/operator/evidence',
    summary: 'How far the evidence log is built and published',
  })
  async status() {
    return shown(await this.log.progress());
  }

  @OperatorOperation({
    id: 'publishEvidence',
    route: 'POST /v1/operator/evidence/publish',
    summary: 'Publish a checkpoint of all events so far',
    limit: RARELY,
  })
  async publish(@Caller() { by }: Calling) {
    return shown(await this.log.publish(by));
  }

  @OperatorOperation({
    id: 'auditEvidence',
    route: 'POST /v1/operator/evidence/audit',
    summary: 'Compare every stored event with its hash, and the hashes with the published checkpoints',
    limit: RARELY,
  })
  async audit() {
    const { findings, total, events, checkpoints } = await this.log.audit();
    return { items: findings, total, events, checkpoints };
  }

  @OperatorOperation({
    id: 'startEvidenceLog',
    route: 'POST /v1/operator/evidence/new-log',
    summary: 'Begin a log with a new origin, which ends a halt',
    limit: RARELY,
  })
  async newLog(@Caller() { by }: Calling) {
    return shown(await this.log.startNewLog(by));
  }
}

/**
 * Without a log or a checkpoint yet, without `origin` and `vkey`, or with `checkpoint` null. While halted, when no
 * event is read, without `events_behind`.
 */
function shown({ size, isAtEnd, log, halt }: Progress) {
  const checkpoint = log?.checkpoint ?? null;
  return {
    ...(log && { origin: log.origin, vkey: log.vkey }),
    events: size,
    ...(!halt && { events_behind: size - (checkpoint?.size ?? 0) }),
    caught_up: isAtEnd,
    checkpoint,
    halted: halt ? { between: [], ...halt } : null,
  };
}
