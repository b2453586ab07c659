import { Body, Controller, Inject } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  isRenewalDue,
  newCredential,
  RenewCredential,
  sessionIdFor,
  StartAgentSession,
  wantsInventory,
} from '../../../contexts/devices/index.js';
import { HeldLeases, isHeld, JobNotifier, ReconcileSession } from '../../../contexts/jobs/index.js';
import { AnswerPositions } from '../../../contexts/recovery/index.js';
import { LivenessStore } from '../../../event-sourcing/index.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { Randomness } from '../../../kernel/ids.js';
import { Clock, plus } from '../../../kernel/time.js';
import { AGENT_TIMING, agentConfig, type AgentTiming } from '../../agent-timing.js';
import { orRefuse } from '../../errors/answers.js';
import type { ComputerCaller } from '../agent.authenticator.js';
import { BATCH_BYTES } from '../agent.fields.js';
import { agent } from '../agent.surface.js';
import { addedVersionFor, CallerSession } from '../caller-session.js';
import {
  HeartbeatAnswer,
  HeartbeatBody,
  lossReason,
  RenewalBody,
  RenewedCredential,
  reportedHealth,
  StartedSession,
  StartSessionBody,
} from './session.messages.js';

const Operation = operationsOf(agent, { tag: 'Computers' });

@Controller()
export class AgentSessionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly sessions: CallerSession,
    private readonly leases: HeldLeases,
    private readonly notifier: JobNotifier,
    private readonly liveness: LivenessStore,
    private readonly randomness: Randomness,
    private readonly positions: AnswerPositions,
    private readonly clock: Clock,
    @Inject(AGENT_TIMING) private readonly timing: AgentTiming,
  ) {}

  @Operation({
    id: 'startSession',
    route: 'POST /v1/agent/sessions',
    summary: 'Start a session',
    description: "Reconciles the agent's journal with the service.",
    body: StartSessionBody,
    maxBodyBytes: BATCH_BYTES,
    success: ok('The newest session wins.', StartedSession),
    errors: ['SESSION_REPLACED'],
  })
  async start(@Body() body: StartSessionBody, @Caller() { computerId, by }: ComputerCaller) {
    const at = this.clock.now();
    const session = {
      sessionId: sessionIdFor(computerId, this.randomness.uuid()),
      startId: body.start_id,
      installationId: body.installation_id,
      agentVersion: body.agent_version,
      installerVersion: body.installer_version,
      operatingSystem: body.operating_system,
      hostname: body.hostname,
      features: body.features,
    };
    const start = new StartAgentSession({ computerId, session, at, by });
    const started = orRefuse('agent', await this.commands.execute(start));
    const sessionId = started.state.sessionId!;
    await this.sessions.checkSeen({ computerId, seen: body.seen, by }, { isFresh: true });
    const command = new ReconcileSession({ computerId, sessionId, journal: body.journal, at, by });
    const reconcile = await this.commands.execute(command);
    const config = agentConfig(this.timing);
    const position = await this.positions.ofSession(computerId, started.events);
    return {
      session_id: sessionId,
      computer_id: computerId,
      position,
      config,
      reconcile,
      credential_expires_at: started.state.credentialExpiresAt,
      ...addedVersionFor(started.state),
    };
  }

  @Operation({
    id: 'renewCredential',
    route: 'POST /v1/agent/credential',
    summary: 'Renew the device credential',
    description: 'From 30 days before its end. The old credential works until the new one is first used.',
    body: RenewalBody,
    bodyOptional: true,
    success: ok(
      'The new credential; a repeat replaces it by another one while it is unused.',
      RenewedCredential,
    ),
    errors: ['CREDENTIAL_NOT_DUE'],
  })
  async renew(@Caller() { computerId, by }: ComputerCaller) {
    const at = this.clock.now();
    const { secret, stored } = newCredential(computerId, at, this.randomness.bytes(32));
    const command = new RenewCredential({ computerId, credential: stored, at, by });
    orRefuse('agent', await this.commands.execute(command));
    return { device_credential: secret, credential_expires_at: stored.credentialExpiresAt };
  }

  @Operation({
    id: 'heartbeat',
    route: 'POST /v1/agent/heartbeat',
    summary: 'Send a heartbeat',
    description: 'Renews presence and leases, and answers which leases are lost.',
    body: HeartbeatBody,
    maxBodyBytes: BATCH_BYTES,
    isRoutine: true,
    success: ok('What is renewed and what is lost.', HeartbeatAnswer),
    errors: ['SESSION_REPLACED', 'SESSION_NOT_FOUND'],
  })
  async heartbeat(@Body() body: HeartbeatBody, @Caller() { computerId, by }: ComputerCaller) {
    // Renewals promise time, and a replaced session that prints must be noted (docs/agent-protocol.md, clones).
    const ask = body.leases.length > 0 ? 'current' : 'heard';
    const { computer } = await this.sessions[ask](computerId, body.session_id, by);
    if (body.busy_printers) this.notifier.setBusy(computerId, body.session_id, body.busy_printers);
    if (body.health) await this.sessions.reportHealth(computerId, reportedHealth(body.health), by);
    const at = this.clock.now();
    const named = await Promise.all(
      body.leases.map(async ({ lease_id }) => ({
        lease_id,
        status: (await this.leases.find(computerId, lease_id))?.status,
      })),
    );
    const renewed = named.filter(({ status }) => isHeld(status));
    const lost = named.filter(({ status }) => !isHeld(status));
    await this.liveness.recordHeartbeat(
      renewed.map(({ lease_id }) => `lease:${lease_id}`),
      at,
    );
    const until = plus(at, this.timing.leaseMs);
    return {
      renewed: renewed.map(({ lease_id }) => ({ lease_id, lease_expires_at: until })),
      lost: lost.map(({ lease_id, status }) => ({ lease_id, reason: lossReason(status) })),
      resync_inventory: wantsInventory(computer, at),
      ...(isRenewalDue(computer, at) && { renew_credential: true }),
      ...addedVersionFor(computer),
    };
  }
}
