import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isLostRace, retry } from '../../async/retry.js';
import { accounts } from '../accounts/index.js';
import { InviteWithLink, type Invited } from './coordinated.commands.js';
import { InviteMember } from './domain/member.commands.js';
import { IssuePanelLink } from './domain/panel-link.decider.js';
import { members, panelLinks } from './index.js';
import { AggregateStore } from '../../event-sourcing/index.js';

const ATTEMPTS = 5;

@CommandHandler(InviteWithLink)
export class InviteWithLinkHandler implements ICommandHandler<InviteWithLink> {
  constructor(private readonly aggregates: AggregateStore) {}

  execute(command: InviteWithLink): Promise<Invited> {
    return retry(() => this.invite(command), { when: isLostRace, attempts: ATTEMPTS });
  }

  private async invite({ accountId, memberId, details, link, at, by }: InviteWithLink): Promise<Invited> {
    const { state: account } = await this.aggregates.load(accounts, accountId);
    if (account.status === 'absent') return { ok: false, rejection: { code: 'AccountNotFound' } };
    if (account.status === 'closed') return { ok: false, rejection: { code: 'AccountClosed' } };
    const invite = new InviteMember({ accountId, memberId, details, at, by });
    const invited = await this.aggregates.plan(members, accountId, invite);
    if (!invited.ok) return invited;
    const user = { kind: 'member', accountId, memberId } as const;
    const issue = new IssuePanelLink({ linkId: memberId, link: { ...link, user }, at, by });
    const issued = await this.aggregates.plan(panelLinks, memberId, issue);
    if (!issued.ok) throw new Error('a new link was refused');
    await this.aggregates.appendInOrder([invited.planned, issued.planned]);
    return { ok: true };
  }
}
