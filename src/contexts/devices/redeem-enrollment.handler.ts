import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isCredential, parseCredential } from '../../kernel/credential.js';
import type { Origin } from '../../kernel/recorded-event.js';
import type { Instant } from '../../kernel/time.js';
import { Randomness } from '../../kernel/ids.js';
import { accounts } from '../accounts/index.js';
import { Claim, claimId, claims } from '../claims/index.js';
import { freeCode, type FreeCode } from './codes.js';
import { EnrollComputer } from './domain/computer.commands.js';
import { newCredential } from './domain/computer.credential.js';
import { ClaimEnrollment, CompleteEnrollment } from './domain/enrollment.decider.js';
import { computers, enrollments } from './index.js';
import { RedeemEnrollment, type Redeemed } from './coordinated.commands.js';
import { AggregateStore, type Planned } from '../../event-sourcing/index.js';

const INVALID: Redeemed = { ok: false, rejection: { code: 'EnrollmentTokenInvalid' } };

/** Order: installation, token, code, computer. A repeat from the same installation completes it. */
@CommandHandler(RedeemEnrollment)
export class RedeemEnrollmentHandler implements ICommandHandler<RedeemEnrollment> {
  constructor(
    private readonly aggregates: AggregateStore,
    private readonly randomness: Randomness,
  ) {}

  async execute(command: RedeemEnrollment): Promise<Redeemed> {
    const parsed = parseCredential(command.token);
    if (parsed?.prefix !== 'svc_enroll_live_') return INVALID;
    const redeem = () => this.redeem(command, parsed.id);
    const inTurn = () => this.aggregates.inTurn(claims, command.installationId, redeem);
    return this.aggregates.inTurn(enrollments, parsed.id, inTurn);
  }

  private async redeem(command: RedeemEnrollment, enrollmentId: string): Promise<Redeemed> {
    const { state: token } = await this.aggregates.load(enrollments, enrollmentId);
    if (token.status === 'absent' || !isCredential(command.token, token.hash)) return INVALID;
    const { state: account } = await this.aggregates.load(accounts, token.accountId);
    if (account.status === 'absent' || account.status === 'closed') return INVALID;
    const by: Origin = { ...command.by, actor: { kind: 'enrollment', id: enrollmentId } };
    const installation = await this.installation(command, token.accountId, by);
    const computerId = token.status === 'open' ? installation.computerId : token.computerId;
    const claim = new ClaimEnrollment({
      enrollmentId,
      installationId: command.installationId,
      computerId,
      at: command.at,
      by,
    });
    const claimed = await this.aggregates.plan(enrollments, enrollmentId, claim);
    if (!claimed.ok) return INVALID;
    const complete = new CompleteEnrollment({ enrollmentId, at: command.at, by });
    const completed = await this.aggregates.plan(enrollments, enrollmentId, complete, {
      after: claimed.planned,
    });
    if (!completed.ok) return INVALID;
    const enrolled = await this.enrol(command, computerId, token.accountId, by);
    const { claim: codeClaim, planned: computer } = enrolled;
    const plans = [...installation.plans, claimed.planned, ...codeClaim, computer, completed.planned];
    await this.aggregates.appendInOrder(plans);
    return enrolled.redeemed;
  }

  private async installation({ installationId, at }: RedeemEnrollment, accountId: string, by: Origin) {
    const fresh = this.randomness.uuid();
    const claim = new Claim({ claimKind: 'installation', subject: fresh, at, by });
    const id = claimId('installation', accountId, installationId);
    const claiming = await this.aggregates.plan(claims, id, claim);
    const plans: readonly Planned<unknown>[] = claiming.ok ? [claiming.planned] : [];
    return { computerId: claiming.ok ? fresh : claiming.rejection.subject, plans };
  }

  private async enrol(
    { installationId, description, at }: RedeemEnrollment,
    computerId: string,
    accountId: string,
    by: Origin,
  ) {
    const { secret: credential, stored } = newCredential(computerId, at, this.randomness.bytes(32));
    const { code: friendlyCode, claim } = await this.codeFor({ accountId, computerId }, { at, by });
    const enrolling = { accountId, installationId, friendlyCode, description };
    const command = new EnrollComputer({ computerId, enrolling, credential: stored, at, by });
    const planned = await this.aggregates.plan(computers, computerId, command);
    if (!planned.ok) throw new Error('an enrolment was refused');
    const { credentialExpiresAt } = stored;
    const known = { computerId, accountId, friendlyCode };
    const redeemed: Redeemed = { ok: true, ...known, credential, credentialExpiresAt };
    return { claim, planned: planned.planned, redeemed };
  }

  /** A known computer keeps its code, which may predate the claims on codes. */
  private async codeFor(
    owner: { readonly accountId: string; readonly computerId: string },
    caused: { readonly at: Instant; readonly by: Origin },
  ): Promise<FreeCode> {
    const { state: computer } = await this.aggregates.load(computers, owner.computerId);
    if (computer.status !== 'absent') return { code: computer.friendlyCode, claim: [] };
    return freeCode(this.aggregates, owner, caused);
  }
}
