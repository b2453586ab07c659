import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AccountQueries } from '../../../projections/accounts/accounts.queries.js';
import { ComputerQueries } from '../../../projections/computers/computers.queries.js';
import { hashCredential, isCredential, mintCredential, parseCredential } from '../../kernel/credential.js';
import type { Origin } from '../../kernel/recorded-event.js';
import { plus } from '../../kernel/time.js';
import { ConcurrencyError } from '../../ports/event-store.port.js';
import { Randomness } from '../../ports/randomness.port.js';
import { AggregateStore, type Planned } from '../../event-sourcing/write/aggregate-store.js';
import { KeyedMutex } from '../../event-sourcing/keyed-mutex.js';
import { Claim, claimId, claims } from '../claims/index.js';
import { codeFrom } from './codes.js';
import { EnrollComputer } from './domain/computer.commands.js';
import { ClaimEnrollment, CompleteEnrollment } from './domain/enrollment.commands.js';
import { computers, enrollments } from './index.js';
import { RedeemEnrollment, type Redeemed } from './redeem-enrollment.command.js';

const CREDENTIAL_LIFE_MS = 180 * 86_400_000;
const TRIES = 5;
const INVALID: Redeemed = { ok: false, rejection: { code: 'EnrollmentTokenInvalid' } };

/**
 * Token, installation and computer in this order; one transaction where the store has one. Exactly one of many
 * redeems wins the token's stream. What a crash left half-way the same installation finishes by repeating.
 */
@CommandHandler(RedeemEnrollment)
export class RedeemEnrollmentHandler implements ICommandHandler<RedeemEnrollment> {
  private readonly lanes = new KeyedMutex();

  constructor(
    private readonly aggregates: AggregateStore,
    private readonly randomness: Randomness,
    private readonly accounts: AccountQueries,
    private readonly computers: ComputerQueries,
  ) {}

  async execute(command: RedeemEnrollment): Promise<Redeemed> {
    const parsed = parseCredential(command.token);
    if (parsed?.prefix !== 'svc_enroll_live_') return INVALID;
    return this.lanes.run(parsed.id, () => this.redeemed(command, parsed.id));
  }

  /** Another redeem may win between our look and our append: then look again. */
  private async redeemed(command: RedeemEnrollment, enrollmentId: string): Promise<Redeemed> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.redeem(command, enrollmentId);
      } catch (error) {
        if (!(error instanceof ConcurrencyError) || attempt === TRIES) throw error;
      }
    }
  }

  private async redeem(command: RedeemEnrollment, enrollmentId: string): Promise<Redeemed> {
    const { state: token } = await this.aggregates.load(enrollments, enrollmentId);
    if (token.status === 'absent' || !isCredential(command.token, token.hash)) return INVALID;
    const account = await this.accounts.getAccount(token.accountId);
    if (!account || account.status === 'closed') return INVALID;
    const by: Origin = { ...command.origin, actor: { kind: 'enrollment', id: enrollmentId } };
    const installation = await this.installation(command, token.accountId, by);
    const computerId = token.status === 'open' ? installation.computerId : token.computerId;
    const claim = new ClaimEnrollment(enrollmentId, command.installationId, computerId, command.at, by);
    const claimed = await this.aggregates.plan(enrollments, enrollmentId, claim);
    if (!claimed.ok) return INVALID;
    const complete = new CompleteEnrollment(enrollmentId, command.at, by);
    const completed = await this.aggregates.plan(enrollments, enrollmentId, complete, {
      after: claimed.planned,
    });
    if (!completed.ok) return INVALID;
    const enrolled = await this.enrol(command, computerId, token.accountId, by);
    const plans = [...installation.plans, claimed.planned, enrolled.planned, completed.planned];
    await this.aggregates.appendInOrder(plans);
    return enrolled.redeemed;
  }

  /** The same installation of an account is the same computer for ever. */
  private async installation({ installationId, at }: RedeemEnrollment, accountId: string, by: Origin) {
    const fresh = this.randomness.uuid();
    const wish = new Claim('installation', fresh, undefined, undefined, at, by);
    const id = claimId('installation', accountId, installationId);
    const claiming = await this.aggregates.plan(claims, id, wish);
    const plans: readonly Planned<unknown>[] = claiming.ok ? [claiming.planned] : [];
    return { computerId: claiming.ok ? fresh : claiming.rejection.subject, plans };
  }

  private async enrol(
    { installationId, description, at }: RedeemEnrollment,
    computerId: string,
    accountId: string,
    by: Origin,
  ) {
    const credential = mintCredential('svc_device_live_', computerId, this.randomness.bytes(32));
    const credentialExpiresAt = plus(at, CREDENTIAL_LIFE_MS);
    const friendlyCode = await codeFrom(this.randomness, 'PC', (code) =>
      this.computers.isCodeTaken(accountId, code),
    );
    const enrolling = { accountId, installationId, friendlyCode, description };
    const stored = { credentialHash: hashCredential(credential), credentialExpiresAt };
    const command = new EnrollComputer(computerId, enrolling, stored, at, by);
    const planned = await this.aggregates.plan(computers, computerId, command);
    if (!planned.ok) throw new Error('an enrolment was refused');
    const redeemed: Redeemed = { ok: true, computerId, credential, credentialExpiresAt };
    return { planned: planned.planned, redeemed };
  }
}
