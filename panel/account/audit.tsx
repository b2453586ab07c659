import { Fragment, useState } from 'react';
import { Link } from 'wouter';
import type { AuditEntry } from '../../sdk/src/generated/panel.js';
import { useRead } from '../api/reads.js';
import { DataTable, type DataColumn } from '../look/data-table.js';
import { Copy, Foreign, Text, Time } from '../look/parts.js';
import { Turn } from '../look/turn.js';
import { kindBefore, pageOf, sentenceOf } from './audit-sentences.js';

/** A page of the audit; without a cursor the newest. */
export const useAudit = (cursor: string | undefined) =>
  useRead('audit', 'listAudit', { query: { limit: 25, cursor } });

const COLUMNS: readonly DataColumn<AuditEntry>[] = [
  { id: 'what', header: 'What happened', width: 260, grow: 3, cell: (entry) => <Sentence entry={entry} /> },
  {
    ...{ id: 'when', header: 'When', width: 140 },
    cell: ({ recorded_at }) => <Time at={recorded_at} />,
  },
  {
    ...{ id: 'from', header: 'From', width: 150, grow: 1, priority: 3 },
    cell: (entry) => <Text text={originOf(entry)} />,
  },
];

/** Who changed what, newest first. */
export function Audit() {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const audit = useAudit(cursors.at(-1));
  return (
    <section className="stack" aria-labelledby="audit">
      <h2 id="audit">Audit</h2>
      <DataTable
        caption="Who changed what, newest first"
        columns={COLUMNS}
        rows={audit.data?.items}
        reading={audit}
        idOf={({ event_id }) => event_id}
        detail={(entry) => <Codes entry={entry} />}
      />
      <Turn cursors={cursors} next={audit.data?.next_cursor} onTurn={setCursors} />
    </section>
  );
}

function Sentence({ entry }: { readonly entry: AuditEntry }) {
  const { actor, action, subject, link_by, failures, sources } = entry;
  const { before, after } = sentenceOf(action);
  const page = pageOf(subject);
  const name = <bdi>{subject.name ?? subject.id}</bdi>;
  return (
    <>
      {kindBefore(actor)}
      {actor.kind === 'process' ? 'The service' : <bdi>{actor.name}</bdi>} {before}
      {after !== undefined && (page ? <Link href={page}>{name}</Link> : name)}
      {after}
      {link_by && (
        <>
          {' with a link of '}
          <bdi>{link_by.name}</bdi>
        </>
      )}
      {failures !== null && (sources ? `, ${failures} times` : `, failure ${failures} of the hour`)}
    </>
  );
}

/** The address, or how many there are. */
function originOf({ address, sources }: AuditEntry): string | null {
  if (!sources) return address;
  const [first = null, ...others] = new Set(sources.map((source) => source.address));
  return others.length === 0 ? first : `${others.length + 1} addresses`;
}

/** Failed sign-ins by address. */
function Sources({ sources }: { readonly sources: NonNullable<AuditEntry['sources']> }) {
  return (
    <>
      {sources.map(({ by, address, count, first_at, last_at }) => (
        <Fragment key={`${by} ${address}`}>
          <dt>
            <bdi>{address}</bdi>
          </dt>
          <dd>
            {count} by {by}, <Time at={first_at} exact />
            {last_at !== first_at && (
              <>
                {' to '}
                <Time at={last_at} exact />
              </>
            )}
          </dd>
        </Fragment>
      ))}
    </>
  );
}

/** What programs and support look for. */
function Codes({ entry }: { readonly entry: AuditEntry }) {
  const { action, actor, subject, event_id, request_id, user_agent, sources } = entry;
  const codes = [
    ['Event', action],
    ['Event id', event_id],
    ['Request id', request_id],
    [`Id of the ${subject.kind.replace('_', ' ')}`, subject.id],
    [`Id of the ${actor.kind.replace('_', ' ')} who did it`, actor.id],
  ] as const;
  return (
    <dl className="facts">
      {codes.map(
        ([name, code]) =>
          code && (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>
                <code>{code}</code> <Copy text={code} name={name} />
              </dd>
            </Fragment>
          ),
      )}
      {user_agent && (
        <>
          <dt>Browser</dt>
          <dd>
            <Foreign text={user_agent} />
          </dd>
        </>
      )}
      {sources && <Sources sources={sources} />}
    </dl>
  );
}
