import { Body, Controller, Inject, Param, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import {
  isRenewalDue,
  newCredential,
  RenewCredential,
  ReportInventory,
  sessionIdFor,
  StartAgentSession,
} from '../../../contexts/devices/index.js';
import {
  HeldLeases,
  isHeld,
  JobNotifier,
  LeaseJobs,
  ReconcileSession,
  ReleaseLease,
} from '../../../contexts/jobs/index.js';
import { AnswerPositions, CheckSeen } from '../../../contexts/recovery/index.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { earlier, epochMs, plus, type Instant, Clock } from '../../../kernel/time.js';
import { Randomness } from '../../../kernel/ids.js';
import type { Waiter } from '../../../async/waiters.js';
import { answer, noContent } from '../../../http/answer.js';
import { ApiError } from '../../../http/errors/api-error.js';
import { Operation } from '../../../http/operation.js';
import { Caller, onHangUp, RequestOrigin } from '../../../http/request.js';
import type { ComputerPrincipal } from '../agent.authenticator.js';
import { CallerSession } from '../caller-session.js';
import {
  HeartbeatBody,
  InventoryBody,
  LeaseBody,
  ReleaseBody,
  reportedHealth,
  reportedPrinter,
  StartSessionBody,
} from '../agent.requests.js';
import { AGENT_TIMING, agentConfig, type AgentTiming } from '../../agent-timing.js';
import {
  heartbeat,
  leaseJobs,
  putInventory,
  releaseLease,
  renewCredential,
  startSession,
} from './sessions.operations.js';
import { leaseResource, lossReason } from '../agent.resources.js';
import { LivenessStore } from '../../../event-sourcing/index.js';
import { refusalOf } from '../../errors/answers.js';

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

  @Operation(startSession)
  async start(
    @Body() body: StartSessionBody,
    @Caller() { computerId }: ComputerPrincipal,
    @RequestOrigin() by: Origin,
  ) {
    const at = this.clock.now();
    const session = {
      sessionId: sessionIdFor(computerId, this.randomness.uuid()),
      startId: body.start_id,
      installationId: body.installation_id,
      agentVersion: body.agent_version,
      installerVersion: body.installer_version,
      operatingSystem: body.operating_system,
      hostname: body.hostname,
    };
    const started = await this.commands.execute(new StartAgentSession({ computerId, session, at, by }));
    if (!started.ok) throw refusalOf('agent', started.rejection);
    const sessionId = started.state.sessionId!;
    await this.checkSeen(computerId, body.seen, by);
    const reconcile = await this.commands.execute(
      new ReconcileSession({ computerId, sessionId, journal: body.journal, at, by }),
    );
    const config = agentConfig(this.timing);
    const position = await this.positions.ofSession(computerId, started.events);
    return answer('OK', {
      session_id: sessionId,
      computer_id: computerId,
      position,
      config,
      reconcile,
      credential_expires_at: started.state.credentialExpiresAt,
    });
  }

  @Operation(renewCredential)
  async renew(@Caller() { computerId }: ComputerPrincipal, @RequestOrigin() by: Origin) {
    const at = this.clock.now();
    const { secret, stored } = newCredential(computerId, at, this.randomness.bytes(32));
    const renewed = await this.commands.execute(
      new RenewCredential({ computerId, credential: stored, at, by }),
    );
    if (!renewed.ok) throw refusalOf('agent', renewed.rejection);
    return answer('OK', { device_credential: secret, credential_expires_at: stored.credentialExpiresAt });
  }

  @Operation(heartbeat)
  async beat(
    @Body() body: HeartbeatBody,
    @Caller() { computerId }: ComputerPrincipal,
    @RequestOrigin() by: Origin,
  ) {
    const { wantsInventory, credential } = await this.sessions.current(computerId, body.session_id, by);
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
    return answer('OK', {
      renewed: renewed.map(({ lease_id }) => ({ lease_id, lease_expires_at: until })),
      lost: lost.map(({ lease_id, status }) => ({ lease_id, reason: lossReason(status) })),
      resync_inventory: wantsInventory,
      ...(isRenewalDue(credential, at) && { renew_credential: true }),
    });
  }

  @Operation(putInventory)
  async inventory(
    @Body() { printers }: InventoryBody,
    @Caller() { computerId, accountId }: ComputerPrincipal,
    @RequestOrigin() by: Origin,
  ) {
    const reported = printers.map(reportedPrinter);
    const command = new ReportInventory({
      accountId,
      computerId,
      printers: reported,
      at: this.clock.now(),
      by,
    });
    const outcome = await this.commands.execute(command);
    if (!outcome.ok) throw refusalOf('agent', outcome.rejection);
    const byKey = new Map(outcome.state.printers.map((printer) => [printer.printerKey, printer]));
    const known = printers.flatMap(({ printer_key }) => {
      const printer = byKey.get(printer_key);
      if (!printer) return [];
      const { printerId: printer_id, printerCode: printer_code, enabled } = printer;
      return [{ printer_key, printer_id, printer_code, enabled }];
    });
    return answer('OK', { printers: known, complete: outcome.state.deferredUntil === undefined });
  }

  @Operation(leaseJobs)
  async lease(
    @Body() body: LeaseBody,
    @Caller() { computerId }: ComputerPrincipal,
    @RequestOrigin() by: Origin,
    @Req() request: FastifyRequest,
  ) {
    this.notifier.setBusy(computerId, body.session_id, body.busy_printers);
    const waiter = this.notifier.open(computerId);
    const stopListening = onHangUp(request, () => waiter.close());
    try {
      await this.checkSeen(computerId, body.seen, by);
      const deadline = plus(this.clock.now(), body.wait_seconds * 1000);
      for (;;) {
        await this.sessions.current(computerId, body.session_id, by);
        const busy = this.notifier.busyOf(computerId, body.session_id);
        const {
          leases,
          lookAgainAt,
          full = false,
        } = await this.commands.execute(
          new LeaseJobs({
            computerId,
            sessionId: body.session_id,
            max: body.max,
            busy,
            at: this.clock.now(),
            by,
          }),
        );
        if (leases.length > 0) {
          const position = await this.positions.ofLeases(leases);
          return answer('OK', { leases: leases.map(leaseResource), position });
        }
        if (this.notifier.setFull(computerId, full)) continue;
        const until = earlier(deadline, lookAgainAt ?? deadline);
        const woken = await this.sleep(waiter, until);
        // The poll ended early: the client hung up or the service stops.
        if (!woken && (until === deadline || this.clock.now() < until)) return noContent();
      }
    } finally {
      stopListening();
      waiter.close();
    }
  }

  @Operation(releaseLease)
  async release(
    @Param('lease_id') leaseId: string,
    @Body() { session_id: given }: ReleaseBody,
    @Caller() { computerId }: ComputerPrincipal,
    @RequestOrigin() by: Origin,
  ) {
    const session = await this.sessions.named(computerId, given, by);
    const job = await this.leases.find(computerId, leaseId);
    if (!job) throw new ApiError('LEASE_NOT_FOUND');
    const outcome = await this.commands.execute(
      new ReleaseLease({ jobId: job.jobId, computerId, session, leaseId, at: this.clock.now(), by }),
    );
    if (!outcome.ok) throw refusalOf('agent', outcome.rejection);
    return answer('OK', { lease_id: leaseId, released: true });
  }

  /** Runs before the agent gets anything to print. */
  private async checkSeen(computerId: string, seen: string | undefined, by: Origin): Promise<void> {
    if (seen !== undefined)
      await this.commands.execute(new CheckSeen({ computerId, seen, at: this.clock.now(), by }));
  }

  /** True if a notification ended the wait. */
  private async sleep(waiter: Waiter, until: Instant): Promise<boolean> {
    const left = epochMs(until) - epochMs(this.clock.now());
    return left > 0 && waiter.wait(left);
  }
}
