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
    const slug = await underFreeSlug(
      this.aggregates,
      { kind: 'account', id, at, by },
      candidates,
      async (free) => {
        const opening = new OpenAccount({ accountId: id, details: { ...details, slug: free }, at, by });
        const opened = await this.aggregates.plan(accounts, id, opening);
        if (!opened.ok) throw new Error(`a new account was refused: ${opened.rejection.code}`);
        return [opened.planned];
      },
    );
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
    await underFreeSlug(this.aggregates, owner, slugCandidates(name), async (slug) => {
      const created = await this.aggregates.plan(
        partners,
        id,
        new CreatePartner({ partnerId: id, name, slug, at, by }),
      );
      if (!created.ok) throw new Error('a new partner was refused');
      return [created.planned];
    });
    return { id };
  }
}
