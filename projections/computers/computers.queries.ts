import { Injectable } from '@nestjs/common';
import { plus, type Instant, type Milliseconds } from '../../src/kernel/time.js';
import { COMPUTER_STATUSES, type ComputerStatus } from '../../src/contexts/devices/domain/computer.events.js';
import { ComputerLists } from '../../src/contexts/jobs/ports.js';
import { computersView, type ComputerDocument } from './computers.js';
import {
  ViewStore,
  type Found,
  type Keyset,
  type ListPage,
  type ListRange,
  type Where,
} from '../../src/event-sourcing/index.js';
import { viewModule } from '../view-module.js';

const UNREVOKED = COMPUTER_STATUSES.filter((status) => status !== 'revoked');
/** Agents renew earlier, so a credential this close to its end needs a person. */
export const CREDENTIAL_ENDS_SOON: Milliseconds = 14 * 86_400_000;

interface ComputerFilter {
  readonly status?: ComputerStatus | readonly ComputerStatus[];
}

/** A computer of another account counts as unknown. */
@Injectable()
export class ComputerQueries implements ComputerLists {
  constructor(private readonly views: ViewStore) {}

  async getComputer(accountId: string, computerId: string): Promise<ComputerDocument | undefined> {
    const computer = await this.findComputer(computerId);
    return computer?.account_id === accountId ? computer : undefined;
  }

  findComputer(computerId: string): Promise<ComputerDocument | undefined> {
    return this.views.get(computersView, computerId);
  }

  /** Of all accounts; counting stops at `most`. */
  async countEndingCredentials(now: Instant, most: number): Promise<number> {
    const upTo = plus(now, CREDENTIAL_ENDS_SOON);
    const range = { by: 'credential_expires_at', from: now, upTo, limit: most };
    return (await this.views.range(computersView, range)).length;
  }

  /** Of all accounts. */
  countByStatus(): Promise<Readonly<Record<ComputerStatus, number>>> {
    return this.views.totalsBy(computersView, 'status', COMPUTER_STATUSES);
  }

  listComputers(
    accountId: string,
    filter: ComputerFilter,
    page: ListRange,
  ): Promise<ListPage<ComputerDocument>> {
    const where = whereOf(accountId, filter);
    return this.views.page(computersView, where, page);
  }

  listComputersOfAnyAccount(page: ListRange): Promise<ListPage<ComputerDocument>> {
    return this.views.page(computersView, {}, page);
  }

  /** Newest first, after a creation position; `positions` become the next cursor. */
  listDevices(accountId: string, filter: ComputerFilter, page: Keyset): Promise<Found<ComputerDocument>> {
    const where = whereOf(accountId, filter);
    return this.views.find(computersView, { where, order: 'newest', ...page });
  }

  /** In the order of `computerIds`, without unknown ones and those of other accounts. */
  async getComputers(
    accountId: string,
    computerIds: readonly string[],
  ): Promise<readonly ComputerDocument[]> {
    const computers = await this.views.getMany(computersView, computerIds);
    return computers.filter((computer) => computer.account_id === accountId);
  }

  async unrevokedOfAccount(
    accountId: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<readonly string[]> {
    const where = whereOf(accountId, { status: UNREVOKED });
    const query = { where, order: 'oldest', ...page } as const;
    const documents = await this.views.list(computersView, query);
    return documents.map(({ computer_id }) => computer_id);
  }
}

function whereOf(accountId: string, { status }: ComputerFilter): Where {
  return { account_id: accountId, ...(status !== undefined && { status }) };
}

export const ComputersViewModule = viewModule(ComputerQueries, {
  provide: ComputerLists,
  useExisting: ComputerQueries,
});
