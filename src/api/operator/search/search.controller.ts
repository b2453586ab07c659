import { Controller, Query } from '@nestjs/common';
import { AccountQueries, PartnerQueries } from '../../../../projections/accounts/accounts.queries.js';
import { ComputerQueries } from '../../../../projections/computers/computers.queries.js';
import { ID_PREFIX, JobSearch } from '../../../../projections/job-view/job-search.js';
import { searchKey } from '../../../../projections/job-view/job-view.js';
import type { ListPage, ListRange } from '../../../event-sourcing/index.js';
import { Field, optional } from '../../../http/validation/field.js';
import { objects, oneOf, text, uuid } from '../../../http/validation/rules.js';
import { OperatorOperation } from '../operator.surface.js';

const MAX_RESULTS = 20;
/** Of accounts, computers and partners each, the newest: their names have no index, and few installations have more. */
const MAX_EXAMINED = 2_000;
const EXAMINED_AT_ONCE = 500;
/** Each is a search in an index of the jobs. */
const ACCOUNTS_AT_ONCE = 50;

export class SearchQuery {
  @Field(text({ max: 160 }), { description: 'Begins an id, a name, a code, a title or an external id' })
  q!: string;
}

export class SearchResult {
  @Field(oneOf('job', 'computer', 'account', 'partner')) kind!: 'job' | 'computer' | 'account' | 'partner';
  @Field(uuid()) id!: string;
  @Field(uuid(), optional) account_id?: string;
  @Field(text({ max: 200 })) title!: string;
  @Field(text({ max: 500 }), { description: 'What tells it from others of the same title' }) detail!: string;
}

export class SearchResults {
  @Field(objects(() => SearchResult, MAX_RESULTS))
  results!: readonly SearchResult[];

  static readonly example: SearchResults = {
    results: [
      {
        kind: 'job',
        id: '01990000-0000-7000-8000-000000000006',
        account_id: '01990000-0000-7000-8000-000000000001',
        title: 'Order 1211',
        detail: 'queued, Front desk on RECEPTION',
      },
    ],
  };
}

@Controller()
export class OperatorSearchController {
  constructor(
    private readonly accounts: AccountQueries,
    private readonly computers: ComputerQueries,
    private readonly partners: PartnerQueries,
    private readonly jobs: JobSearch,
  ) {}

  @OperatorOperation({
    id: 'search',
    route: 'GET /v1/operator/search',
    summary: 'Find jobs, computers, accounts and partners by the beginning of a text',
    tag: 'Service',
    type: SearchResults,
    limit: { perMinute: 60 },
    query: SearchQuery,
  })
  async search(@Query() { q }: SearchQuery) {
    const wanted = q.trim();
    if (wanted === '') return { results: [] };
    const accounts = await newest((range) => this.accounts.listAccounts(range));
    const kinds = [
      accounts
        .filter((one) => begins(wanted, one.account_id, one.name, one.slug, one.external_id))
        .map(({ account_id: id, name, slug, status }) => result('account', id, name, `${slug}, ${status}`)),
      await this.partnersBeginning(wanted),
      await this.computersBeginning(wanted),
      await this.jobsBeginning(
        wanted,
        accounts.map(({ account_id }) => account_id),
      ),
    ];
    return { results: shares(kinds).flat() };
  }

  private async partnersBeginning(wanted: string): Promise<readonly SearchResult[]> {
    const partners = await newest((range) => this.partners.listPartners(range));
    return partners
      .filter((one) => begins(wanted, one.partner_id, one.name, one.partner))
      .map(({ partner_id, name, partner }) => result('partner', partner_id, name, partner));
  }

  private async computersBeginning(wanted: string): Promise<readonly SearchResult[]> {
    const computers = await newest((range) => this.computers.listComputersOfAnyAccount(range));
    return computers
      .filter((one) => begins(wanted, one.computer_id, one.name, one.friendly_code, one.hostname))
      .map(({ computer_id, account_id, name, friendly_code, status }) => ({
        ...result('computer', computer_id, name, `${friendly_code}, ${status}`),
        account_id,
      }));
  }

  private async jobsBeginning(
    wanted: string,
    accountIds: readonly string[],
  ): Promise<readonly SearchResult[]> {
    const found = [];
    for (let from = 0; from < accountIds.length; from += ACCOUNTS_AT_ONCE) {
      const some = accountIds.slice(from, from + ACCOUNTS_AT_ONCE);
      found.push(...(await this.jobs.findOfAccounts(some, wanted, MAX_RESULTS)));
    }
    const unique = [...new Map(found.map((job) => [job.job_id, job])).values()];
    return unique
      .sort((a, b) => (a.created_at < b.created_at ? 1 : -1))
      .map(({ job_id, account_id, title = job_id, status, printer_name, computer_name, external_id }) => {
        const place = `${printer_name ?? 'a printer'} on ${computer_name ?? 'a computer'}`;
        const detail = [status, place, ...(external_id === undefined ? [] : [external_id])].join(', ');
        return { ...result('job', job_id, title, detail), account_id };
      });
  }
}

const result = (kind: SearchResult['kind'], id: string, title: string, detail: string): SearchResult => ({
  ...{ kind, id, title, detail },
});

async function newest<D>(list: (range: ListRange) => Promise<ListPage<D>>): Promise<readonly D[]> {
  const all: D[] = [];
  for (let offset = 0; offset < MAX_EXAMINED; offset += EXAMINED_AT_ONCE) {
    const { items } = await list({ limit: EXAMINED_AT_ONCE, offset });
    all.push(...items);
    if (items.length < EXAMINED_AT_ONCE) break;
  }
  return all;
}

function begins(wanted: string, id: string, ...texts: readonly (string | undefined)[]): boolean {
  const key = searchKey(wanted);
  return (
    (ID_PREFIX.test(wanted) && id.startsWith(key)) ||
    texts.some((text) => searchKey(text ?? '').startsWith(key))
  );
}

/** Every kind has an equal share of the results; what one leaves is for the others, in their order. */
function shares(kinds: readonly (readonly SearchResult[])[]): readonly (readonly SearchResult[])[] {
  const share = MAX_RESULTS / kinds.length;
  let left = MAX_RESULTS - kinds.reduce((sum, found) => sum + Math.min(found.length, share), 0);
  return kinds.map((found) => {
    const more = Math.min(left, Math.max(0, found.length - share));
    left -= more;
    return found.slice(0, share + more);
  });
}
