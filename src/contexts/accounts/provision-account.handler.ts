import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandResult } from '../../kernel/command.js';
import { Randomness } from '../../kernel/ids.js';
import { Claim, claimId, claims } from '../claims/index.js';
import { OpenAccount, RenameAccount } from './domain/account.commands.js';
import { slugCandidates } from './domain/slug.js';
import { DEFAULT_PLAN, ProvisionAccount } from './coordinated.commands.js';
import { accounts } from './index.js';
import { underFreeSlug } from './slug-claims.js';
import { AggregateStore } from '../../event-sourcing/index.js';

type Provisioned = CommandResult<ProvisionAccount>;

/** Claims the external id first, so that a repeat after a crash completes the account. */
@CommandHandler(ProvisionAccount)
export class ProvisionAccountHandler implements ICommandHandler<ProvisionAccount> {
  constructor(
    private readonly aggregates: AggregateStore,
    private readonly randomness: Randomness,
  ) {}

  execute(command: ProvisionAccount): Promise<Provisioned> {
    const claim = claimId('partner-account', command.partnerId, command.externalId);
    return this.aggregates.inTurn(claims, claim, () => this.provision(command, claim));
  }

  private async provision(command: ProvisionAccount, claim: string): Promise<Provisioned> {
    const { at, by } = command;
    const claimAccount = new Claim({ claimKind: 'partner-account', subject: this.randomness.uuid(), at, by });
    const claiming = await this.aggregates.plan(claims, claim, claimAccount);
    if (claiming.ok) {
      await this.aggregates.appendInOrder([claiming.planned]);
      return this.open(command, claimAccount.subject);
    }
    const { subject } = claiming.rejection;
    const { state } = await this.aggregates.load(accounts, subject);
    return state.status === 'absent' ? this.open(command, subject) : this.reconcile(command, subject);
  }

  private async open(
    { partnerId, externalId, displayName, at, by }: ProvisionAccount,
    id: string,
  ): Promise<Provisioned> {
    const owner = { kind: 'account', id, at, by } as const;
    const details = {
      ...{ name: displayName, virtualPrintersOnly: false, plan: DEFAULT_PLAN },
      ...{ partnerId, externalId },
    };
    await underFreeSlug(this.aggregates, owner, slugCandidates(displayName), (slug) => {
      const opened = { accountId: id, details: { ...details, slug } };
      return this.aggregates.plan(accounts, id, new OpenAccount({ ...opened, at, by }));
    });
    return { ok: true, id };
  }

  private async reconcile({ displayName, at, by }: ProvisionAccount, id: string): Promise<Provisioned> {
    const outcome = await this.aggregates.execute(
      accounts,
      id,
      new RenameAccount({ accountId: id, name: displayName, at, by }),
    );
    if (outcome.ok) return { ok: true, id };
    return { ok: false, rejection: { code: 'AccountClosed' } };
  }
}
