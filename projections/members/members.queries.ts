import { Injectable } from '@nestjs/common';
import { streamOf } from '../../src/kernel/ids.js';
import { membersView, type MemberDocument } from './members.js';
import { ViewStore } from '../../src/event-sourcing/index.js';
import { viewModule } from '../view-module.js';

/** More than an account can have. */
const ALL = 1_000;

@Injectable()
export class MemberQueries {
  constructor(private readonly views: ViewStore) {}

  /** A member of another account counts as unknown. */
  async getMember(accountId: string, memberId: string): Promise<MemberDocument | undefined> {
    const member = await this.views.get(membersView, memberId, streamOf('members', accountId));
    return member?.account_id === accountId ? member : undefined;
  }

  /** Of any account. */
  findMember(memberId: string): Promise<MemberDocument | undefined> {
    return this.views.get(membersView, memberId);
  }

  /** Includes removed members, excludes those of other accounts. */
  async getMembers(accountId: string, memberIds: readonly string[]): Promise<readonly MemberDocument[]> {
    const found = await this.views.getMany(membersView, memberIds);
    return found.filter((member) => member.account_id === accountId);
  }

  /** Excludes removed members; in the order of invitation. */
  async listMembers(accountId: string): Promise<readonly MemberDocument[]> {
    const where = { account_id: accountId, status: 'active' };
    return await this.views.list(membersView, { where, order: 'oldest', limit: ALL });
  }
}

export const MembersViewModule = viewModule(MemberQueries);
