import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  type AgentHealth,
  changesHealth,
  type Computer,
  computers,
  hasFeature,
  isCurrentSession,
  isLostSession,
  NoteReplacedSession,
  NoteSessionNaming,
  predecessorsOf,
  ReportAgentHealth,
  versionOfAdded,
} from '../../contexts/devices/index.js';
import { type CallingSession, SuspectClones } from '../../contexts/jobs/index.js';
import { CheckSeen } from '../../contexts/recovery/index.js';
import { AggregateStore } from '../../event-sourcing/index.js';
import { ApiError } from '../../http/errors/api-error.js';
import type { Origin } from '../../kernel/recorded-event.js';
import { Clock } from '../../kernel/time.js';

interface CurrentSession extends CallingSession {
  readonly computer: Computer;
}

interface AddedVersion {
  /** Absent from answers to agents that do not know added printers. */
  readonly added_printers?: string;
}

/** The version of the added printers, for an agent that knows them. */
export function addedVersionFor(computer: Computer): AddedVersion {
  const isKnown = hasFeature(computer, computer.sessionId, 'printers/1');
  return isKnown ? { added_printers: versionOfAdded(computer) } : {};
}

/** Determines the session of an agent's call (docs/agent-protocol.md, sessions and clones). */
@Injectable()
export class CallerSession {
  constructor(
    private readonly aggregates: AggregateStore,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the computer's current session if `given` is absent, as in calls of older agents.
   * @throws ApiError SESSION_REPLACED, or SESSION_NOT_FOUND for a session that a rolled-back store has lost;
   *   `credentialInvalid` if the computer was revoked while the call waited
   */
  async current(computerId: string, given: string | undefined, by: Origin): Promise<CurrentSession> {
    const { state } = await this.aggregates.load(computers, computerId);
    if (state.status === 'revoked') throw new ApiError('credentialInvalid');
    if (given !== undefined && !isCurrentSession(state, given)) {
      if (isLostSession(state, given)) throw new ApiError('SESSION_NOT_FOUND');
      await this.noteReplaced(computerId, given, by);
      throw new ApiError('SESSION_REPLACED');
    }
    return sessionOf(state);
  }

  /** As `current`, for calls that grant nothing: costs no call of the event store while the session is current. */
  async heard(computerId: string, given: string, by: Origin): Promise<CurrentSession> {
    const { state } = await this.aggregates.heard(computers, computerId);
    return isCurrentSession(state, given) ? sessionOf(state) : this.current(computerId, given, by);
  }

  /**
   * As `current`, for calls in which older agents name no session. Once a call has named one, the agent of this
   * credential must always do so: a clone must not act as the session that it does not name.
   * @throws ApiError INVALID_REQUEST without `given` then
   */
  async named(computerId: string, given: string | undefined, by: Origin): Promise<CurrentSession> {
    const session = await this.current(computerId, given, by);
    const { namesSession } = session.computer;
    if (namesSession && given === undefined)
      throw new ApiError('INVALID_REQUEST', 'session_id is required: earlier calls of this agent named it.');
    if (!namesSession && given !== undefined)
      await this.commands.execute(new NoteSessionNaming({ computerId, at: this.clock.now(), by }));
    return session;
  }

  /** Writes only if low space, the backlog or the error code changed; a heartbeat usually costs no append. */
  async reportHealth(computerId: string, health: AgentHealth, by: Origin): Promise<void> {
    const { state } = await this.aggregates.heard(computers, computerId);
    if (!changesHealth(state, health)) return;
    const command = new ReportAgentHealth({ computerId, health, at: this.clock.now(), by });
    await this.aggregates.execute(computers, computerId, command);
  }

  /**
   * Runs before the agent gets anything to print. Resolves to true if memory answered, which is enough for an answer
   * without a job.
   */
  async checkSeen(
    {
      computerId,
      seen,
      by,
    }: { readonly computerId: string; readonly seen: string | undefined; readonly by: Origin },
    { isFresh = false } = {},
  ): Promise<boolean> {
    if (seen === undefined) return false;
    const command = new CheckSeen({ computerId, seen, isFresh, at: this.clock.now(), by });
    return (await this.commands.execute(command)).fromMemory;
  }

  private async noteReplaced(computerId: string, sessionId: string, by: Origin): Promise<void> {
    const at = this.clock.now();
    const noted = await this.commands.execute(new NoteReplacedSession({ computerId, sessionId, at, by }));
    if (noted.ok && noted.events.length > 0) {
      await this.commands.execute(new SuspectClones({ computerId, at, by }));
    }
  }
}

function sessionOf(computer: Computer): CurrentSession {
  const { sessionId, sessionStartedAt: startedAt } = computer;
  return { computer, sessionId, startedAt, predecessors: predecessorsOf(computer) };
}
