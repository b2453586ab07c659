import type { FormEvent } from 'react';
import { Link } from 'wouter';
import type { SearchResult } from '../../sdk/src/generated/operator.js';
import { useRead } from '../api/reads.js';
import { useFilters } from '../app/address.js';
import { Page } from '../app/page.js';
import { DataTable, type DataColumn } from '../look/data-table.js';
import { Empty, NoValue, Text } from '../look/parts.js';

const COLUMNS: readonly DataColumn<SearchResult>[] = [
  {
    ...{ id: 'title', header: 'Name', width: 180, grow: 3 },
    cell: ({ kind, id, title }) => (
      <Link href={kind === 'partner' ? `/partners/${id}` : `/stream?name=${kind}-${id}`}>
        <bdi>{title || id}</bdi>
      </Link>
    ),
  },
  { id: 'kind', header: 'Kind', width: 100, cell: ({ kind }) => kind },
  {
    ...{ id: 'detail', header: 'Detail', width: 320, grow: 3, priority: 2 },
    cell: ({ detail }) => <Text text={detail} />,
  },
  {
    ...{ id: 'account', header: 'Account', width: 320, priority: 4 },
    cell: ({ account_id }) =>
      account_id ? (
        <Link href={`/stream?name=account-${account_id}`}>
          <code>{account_id}</code>
        </Link>
      ) : (
        <NoValue />
      ),
  },
  {
    ...{ id: 'id', header: 'Id', width: 320, priority: 5 },
    cell: ({ id }) => <code>{id}</code>,
  },
];

/** One search over the jobs, computers, accounts and partners of the installation. */
export function FindPage() {
  const [{ q }, change] = useFilters('/find', ['q']);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    change({ q: String(new FormData(event.currentTarget).get('q')).trim() });
  };
  return (
    <Page title="Find">
      <form className="filters" role="search" onSubmit={submit}>
        <label className="field">
          Job, computer, account or partner
          <input name="q" type="search" key={q} defaultValue={q} required maxLength={160} />
        </label>
        <button type="submit" className="main">
          Find
        </button>
      </form>
      {q === '' ? (
        <p className="quiet">The beginning of an id, a title, an external id, a name, a code or a slug.</p>
      ) : (
        <Results q={q} />
      )}
    </Page>
  );
}

function Results({ q }: { readonly q: string }) {
  const found = useRead('stream', 'search', { query: { q } });
  return (
    <DataTable
      caption="The first twenty; a partner opens its page, others their stream"
      columns={COLUMNS}
      rows={found.data?.results}
      reading={found}
      idOf={({ kind, id }) => `${kind} ${id}`}
      keyboard
      empty={<Empty text="Nothing begins with this. Try less of it, or another of its names." />}
    />
  );
}
