import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Randomness } from '../../kernel/ids.js';
import { OpenAccount, RenameAccount } from './domain/account.commands.js';
import { CreatePartner } from './domain/partner.decider.js';
import { slugCandidates } from './domain/slug.js';
import {
  RegisterAccount,
  RegisterPartner,
  type Registered,
  DEFAULT_PLAN,
  ProvisionAccount,
} from './coordinated.commands.js';
import { accounts, partners } from './index.js';
import { AggregateStore, type Planned } from '../../event-sourcing/index.js';
import type { CommandResult, Refused } from '../../kernel/command.js';
import { Claim, claimId, claims } from '../claims/index.js';
import type { Rejection } from '../../kernel/decider.js';
import type { Origin } from '../../kernel/recorded-event.js';
import type { Instant } from '../../kernel/time.js';
import { ConcurrencyError } from '../../kernel/errors.js';

@CommandHandler(RegisterAccount)
export class RegisterAccountHandler implements ICommandHandler<RegisterAccount> {
  constructor(
    private readonly aggregates: AggregateStore,
    private readonly randomness: Randomness,
  ) {}

  async execute({ details, slug: wished, at, by }: RegisterAccount): Promise<Registered<'SlugTaken'>> {
    const id = this.randomness.uuid();
    const candidates = wished === undefined ? slugsFor(details.name, this.randomness) : [wished];
    const slug = await openAccount(this.aggregates, { id, at, by }, details, candidates);
    return slug === undefined ? { ok: false, rejection: { code: 'SlugTaken' } } : { ok: true, id };
  }
}

@CommandHandler(RegisterPartner)
export class RegisterPartnerHandler implements ICommandHandler<RegisterPartner> {
  constructor(
    private readonly aggregates: AggregateStore,
    private readonly randomness: Randomness,
  ) {}

  async execute({ name, at, by }: RegisterPartner): Promise<{ id: string }> {
    const id = this.randomness.uuid();
    const owner = { kind: 'partner', id, at, by } as const;
    await underFreeSlug(this.aggregates, owner, slugsFor(name, this.randomness), (slug) =>
      this.aggregates.plan(partners, id, new CreatePartner({ partnerId: id, name, slug, at, by })),
    );
    return { id };
  }
}

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
    const details = {
      name: displayName,
      virtualPrintersOnly: false,
      plan: DEFAULT_PLAN,
      partnerId,
      externalId,
    };
    const slugs = slugsFor(displayName, this.randomness);
    await openAccount(this.aggregates, { id, at, by }, details, slugs);
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

interface Opened {
  readonly id: string;
  readonly at: Instant;
  readonly by: Origin;
}

const slugsFor = (name: string, randomness: Randomness) =>
  slugCandidates(name, () => Buffer.from(randomness.bytes(3)).readUIntBE(0, 3));

/** Resolves to the slug; undefined if none is free. */
function openAccount(
  aggregates: AggregateStore,
  opened: Opened,
  details: RegisterAccount['details'],
  slugs: Iterable<string>,
): Promise<string | undefined> {
  const { id, at, by } = opened;
  return underFreeSlug(aggregates, { kind: 'account', ...opened }, slugs, (slug) => {
    const command = new OpenAccount({ accountId: id, details: { ...details, slug }, at, by });
    return aggregates.plan(accounts, id, command);
  });
}

type Opening = { readonly ok: true; readonly planned: Planned<unknown> } | Refused<Rejection>;

/** Appends the first free slug's claim and what `plan` opens under it together; undefined if no slug is free. */
async function underFreeSlug(
  aggregates: AggregateStore,
  owner: Opened & { readonly kind: 'account' | 'partner' },
  candidates: Iterable<string>,
  plan: (slug: string) => Promise<Opening>,
): Promise<string | undefined> {
  for (const slug of candidates) {
    const claim = new Claim({ claimKind: 'slug', subject: owner.id, at: owner.at, by: owner.by });
    const claiming = await aggregates.plan(claims, claimId('slug', owner.kind, slug), claim);
    if (!claiming.ok) continue;
    const opened = await plan(slug);
    if (!opened.ok) throw new Error(`a new ${owner.kind} was refused: ${opened.rejection.code}`);
    try {
      await aggregates.appendInOrder([claiming.planned, opened.planned]);
      return slug;
    } catch (error) {
      if (!(error instanceof ConcurrencyError) || error.stream !== claiming.planned.append.stream)
        throw error;
    }
  }
  return undefined;
}
