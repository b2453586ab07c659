import { Injectable } from '@nestjs/common';
import { ComputerQueries } from '../../../projections/computers/computers.queries.js';
import { ApiKeyQueries } from '../../../projections/credentials/credentials.queries.js';
import { MemberQueries } from '../../../projections/members/members.queries.js';
import { Field } from '../../http/validation/field.js';
import { oneOf, text } from '../../http/validation/rules.js';
import type { Actor } from '../../kernel/recorded-event.js';

const KINDS = ['api_key', 'partner', 'device', 'enrollment', 'operator', 'member', 'process'] as const;

/** Who did something. */
export class NamedActor implements Actor {
  @Field(oneOf(...KINDS)) kind!: Actor['kind'];
  @Field(text({ max: 200 })) id!: string;
  @Field(text({ max: 255 }), { description: 'Of the member, computer or key; else the id' }) name!: string;

  static readonly example: NamedActor = {
    kind: 'member',
    id: '01990000-0000-7000-8000-000000000001',
    name: 'Bea',
  };
}

/** Names of the actors of one account's events. Actors of other accounts keep their ids. */
@Injectable()
export class ActorNames {
  constructor(
    private readonly members: MemberQueries,
    private readonly computers: ComputerQueries,
    private readonly keys: ApiKeyQueries,
  ) {}

  /** Resolves to a function that names these actors. */
  async of(accountId: string, actors: readonly Actor[]): Promise<(actor: Actor) => NamedActor> {
    const idsOf = (kind: Actor['kind']) => [
      ...new Set(actors.filter((actor) => actor.kind === kind).map(({ id }) => id)),
    ];
    const [members, computers, keys] = await Promise.all([
      this.members.getMembers(accountId, idsOf('member')),
      this.computers.getComputers(accountId, idsOf('device')),
      this.keys.getKeys(accountId, idsOf('api_key')),
    ]);
    const names = new Map([
      ...members.map(({ member_id, display_name }) => [member_id, display_name] as const),
      ...computers.map(({ computer_id, name }) => [computer_id, name] as const),
      ...keys.map(({ key_id, name, last4 }) => [key_id, name ?? `key …${last4}`] as const),
    ]);
    return ({ kind, id }) => ({ kind, id, name: names.get(id) ?? id });
  }
}
