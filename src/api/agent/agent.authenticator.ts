import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { AccountQueries } from '../../../projections/accounts/accounts.queries.js';
import { ComputerQueries } from '../../../projections/computers/computers.queries.js';
import type { AccountEvent } from '../../contexts/accounts/index.js';
import { type ComputerEvent, RecordAgentCall } from '../../contexts/devices/index.js';
import { EventStore, LivenessStore } from '../../event-sourcing/index.js';
import { CachedAuthenticator, type Principal } from '../../http/authentication.js';
import type { Calling } from '../../http/request.js';
import { hashCredential, isCredential } from '../../kernel/credential.js';
import { Randomness } from '../../kernel/ids.js';
import { Clock } from '../../kernel/time.js';

/** Every principal of this surface is the agent of one computer. */
export interface ComputerPrincipal extends Principal {
  readonly accountId: string;
  readonly computerId: string;
}
export type ComputerCaller = Calling<ComputerPrincipal>;

interface CachedComputer extends ComputerPrincipal {
  readonly expiresAt: string;
  readonly status: string;
  readonly credentialHash: string;
  /** Not used before. */
  readonly isRenewed: boolean;
}

/** Its status or credential has changed. */
const OUTDATED_BY: readonly (ComputerEvent | AccountEvent)['type'][] = [
  'ComputerWentOffline',
  'ComputerReenrolled',
  'DeviceCredentialReplaced',
  'ComputerRevoked',
  'AccountClosed',
];

/** Device credentials; every call with one counts as a heartbeat of its computer. */
@Injectable()
export class AgentAuthenticator extends CachedAuthenticator<CachedComputer, ComputerPrincipal> {
  constructor(
    private readonly computers: ComputerQueries,
    private readonly accounts: AccountQueries,
    private readonly commands: CommandBus,
    private readonly liveness: LivenessStore,
    private readonly randomness: Randomness,
    private readonly clock: Clock,
    events: EventStore,
  ) {
    super(events, { prefixes: ['svc_device_live_'], outdatedBy: OUTDATED_BY });
  }

  protected async use(computer: CachedComputer): Promise<ComputerPrincipal | undefined> {
    const at = this.clock.now();
    if (computer.expiresAt <= at) return undefined;
    await this.liveness.recordHeartbeat([`computer:${computer.computerId}`], at);
    if (computer.status === 'offline' || computer.isRenewed) await this.recordCall(computer);
    return computer;
  }

  protected override async findRecord(id: string): Promise<string | undefined> {
    return (await this.computers.findComputer(id))?.computer_id;
  }

  private async recordCall({
    computerId,
    kind,
    credentialId,
    credentialHash,
  }: CachedComputer): Promise<void> {
    const by = { actor: { kind, id: credentialId }, correlationId: this.randomness.uuid() };
    const command = new RecordAgentCall({ computerId, credentialHash, at: this.clock.now(), by });
    await this.commands.execute(command);
    this.invalidate();
  }

  protected async find(id: string, secret: string): Promise<CachedComputer | undefined> {
    const computer = await this.computers.findComputer(id);
    const {
      credential_hash: hash,
      credential_expires_at: expiresAt,
      renewed_credential: renewed,
    } = computer ?? {};
    if (!computer || !hash || !expiresAt) return undefined;
    const isRenewed = renewed !== undefined && isCredential(secret, renewed.hash);
    if (!isRenewed && !isCredential(secret, hash)) return undefined;
    const account = await this.accounts.getAccount(computer.account_id);
    if (!account || account.status === 'closed') return undefined;
    return {
      kind: 'device',
      credentialId: computer.computer_id,
      accountId: computer.account_id,
      computerId: computer.computer_id,
      scopes: new Set(),
      expiresAt: isRenewed ? renewed.expires_at : expiresAt,
      status: computer.status,
      credentialHash: hashCredential(secret),
      isRenewed,
    };
  }
}
