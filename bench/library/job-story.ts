import { v7 } from 'uuid';
import {
  AcceptJob,
  CreateJob,
  defaultJobPolicy,
  GrantLease,
  makeJobDecider,
  ReportProgress,
  StartHandoff,
  type JobEvent,
  type JobCommand,
} from '../../src/contexts/jobs/index.js';
import { claimId } from '../../src/contexts/claims/index.js';
import type { EventMetadata, Origin } from '../../src/kernel/recorded-event.js';
import { instant, plus, type Instant } from '../../src/kernel/time.js';
import type { Append, NewEvent } from '../../src/event-sourcing/ports/event-store.port.js';

/** Account and printers of the generated jobs. */
export interface Cast {
  readonly accountId: string;
  readonly computerId: string;
  readonly printerIds: readonly string[];
}

const HASH = 'c0ffee'.repeat(10).padEnd(64, '0');
/** Long enough that no timer of a generated job comes due during the run. */
const QUIET_MS = 300 * 86_400_000;
const quiet = makeJobDecider({ ...defaultJobPolicy, lifetimeMs: QUIET_MS, contentRetentionMs: QUIET_MS });

export const describe = (cast: Cast, n: number) => ({
  accountId: cast.accountId,
  printerId: cast.printerIds[n % cast.printerIds.length]!,
  printerCode: 'PR-0A1B2C3D',
  printerName: 'Front desk',
  computerId: cast.computerId,
  computerName: 'RECEPTION',
  externalId: `order-${n}`,
  title: `Order ${n}`,
  contentType: 'text' as const,
  contentHash: HASH,
  contentSizeBytes: 300,
  copies: 1,
  maxAutoRetries: 5,
  source: 'integration' as const,
});

/** The commands of one job from its creation to its final report. */
export function commandsOf(cast: Cast, n: number, jobId: string, at: Instant, by: Origin): JobCommand[] {
  const leaseId = v7();
  const { printerId, computerId } = describe(cast, n);
  const sessionId = v7();
  const session = { sessionId, startedAt: at, predecessors: [] };
  const report = (type: 'spooled' | 'spooler_completed') =>
    new ReportProgress({
      jobId,
      computerId,
      session,
      leaseId,
      fence: 1,
      report: { id: v7(), type, occurredAt: at },
      at,
      by,
    });
  return [
    new CreateJob({ jobId, job: describe(cast, n), at, by }),
    new GrantLease({ jobId, leaseId, printerId, computerId, sessionId, at, by }),
    new AcceptJob({ jobId, computerId, session, leaseId, fence: 1, contentHash: HASH, at, by }),
    new StartHandoff({ jobId, computerId, session, leaseId, fence: 1, at, by }),
    report('spooled'),
    report('spooler_completed'),
  ];
}

/** Claim and events of a printed job (every tenth: a waiting one), as stored. */
export function story(cast: Cast, n: number): Append[] {
  const jobId = v7();
  const at = instant(Date.now());
  const by: Origin = { actor: { kind: 'api_key', id: cast.accountId }, correlationId: v7(), requestId: v7() };
  const metadata: EventMetadata = { ...by, at, schemaVersion: 1 };
  const stored = ({ type, data }: { type: string; data: object }): NewEvent => ({
    id: v7(),
    type,
    data,
    metadata,
  });
  const commands = commandsOf(cast, n, jobId, at, by).slice(0, n % 10 === 0 ? 1 : undefined);
  const claimed = { kind: 'job-create', subject: jobId, fingerprint: HASH, expiresAt: plus(at, QUIET_MS) };
  return [
    {
      stream: `claim-${claimId('job-create', 'integration', cast.accountId, jobId)}`,
      expected: 'no_stream',
      events: [stored({ type: 'Claimed', data: claimed })],
    },
    { stream: `job-${jobId}`, expected: 'no_stream', events: decided(commands).map(stored) },
  ];
}

function decided(commands: readonly JobCommand[]): JobEvent[] {
  const events: JobEvent[] = [];
  let state = quiet.initialState;
  for (const command of commands) {
    const decision = quiet.decide(state, command);
    if (!decision.accepted) throw new Error(`${command.kind} was refused: ${decision.rejection.code}`);
    for (const event of decision.events) {
      events.push(event);
      state = quiet.evolve(state, event);
    }
  }
  return events;
}
