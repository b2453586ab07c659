import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Randomness } from '../../kernel/ids.js';
import { OpenAccount } from './domain/account.commands.js';
import { CreatePartner } from './domain/partner.decider.js';
import { slugCandidates } from './domain/slug.js';
import { RegisterAccount, RegisterPartner, type Registered } from './coordinated.commands.js';
import { accounts, partners } from './index.js';
import { underFreeSlug } from './slug-claims.js';
import { AggregateStore } from '../../event-sourcing/index.js';

@CommandHandler(RegisterAccount)
export class RegisterAccountHandler implements ICommandHandler<RegisterAccount> {
  constructor(
    private readonly aggregates: AggregateStore,
    private readonly randomness: Randomness,
  ) {}

  async execute({ details, slug: wished, at, by }: RegisterAccount): Promise<Registered<'SlugTaken'>> {
    const id = this.randomness.uuid();
    const candidates = wished === undefined ? slugCandidates(details.name) : [wished];
    const owner = { kind: 'account', id, at, by } as const;
    const slug = await underFreeSlug(this.aggregates, owner, candidates, (free) => {
      const opened = { accountId: id, details: { ...details, slug: free } };
      return this.aggregates.plan(accounts, id, new OpenAccount({ ...opened, at, by }));
    });
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
    await underFreeSlug(this.aggregates, owner, slugCandidates(name), (slug) =>
      this.aggregates.plan(partners, id, new CreatePartner({ partnerId: id, name, slug, at, by })),
    );
    return { id };
  }
}
