import type { ViewDefinition, ViewIndex } from '../../kernel/projection.js';
import type { PrefixQuery, RangeQuery, Scalar, ViewQuery, Where } from '../ports/view-store.port.js';
import {
  type Combination,
  combinationsOf,
  countKey,
  endOfPrefix,
  indexFor,
  prefixIndex,
  rangeIndex,
  valuesOf,
} from '../projections/view-index.js';
import type { CreationPosition } from '../../kernel/recorded-event.js';
import { rowIn } from '../projections/creation-order.js';
import { compactId } from './document-form.js';
import { fromUnindexedSql, INDEXED } from './unindexed-rows.js';
import { columnOf, indexedSql, indexName, sqlValue, timeIndexName } from './view-table.js';

const LOWEST_UUID = '00000000-0000-0000-0000-000000000000';
const HIGHEST_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

type Parameter = string | number | Uint8Array | null;

export interface Sql {
  readonly text: string;
  readonly parameters: readonly Parameter[];
}

export interface Source {
  readonly table: string;
  readonly columns: string;
  readonly hasUnindexed: boolean;
}

const NEWEST_FIRST = 'ORDER BY created DESC, birth DESC';
const ORDERS = { newest: NEWEST_FIRST, oldest: 'ORDER BY created, birth', logged: 'ORDER BY birth' } as const;

export function hasUnindexedSql(table: string): string {
  return `SELECT EXISTS (SELECT 1 ${fromUnindexedSql(table)})`;
}

/** Merges one index scan per value, and the unindexed rows, in the order of creation: never sorts all matches. */
export function pageSql(view: ViewDefinition, source: Source, query: ViewQuery): Sql {
  const { table, columns } = source;
  const { where, order, limit, offset = 0, after } = query;
  const branches = branchesOf(view, source, where, order);
  const { text: keyset, parameters: start } = keysetOf(order, after);
  const inOrder = ORDERS[order];
  if (branches.length === 1) {
    const [{ text, parameters }] = branches as [Sql];
    return {
      text: `SELECT ${columns} ${text} ${keyset} ${inOrder} LIMIT ? OFFSET ?`,
      parameters: [...parameters, ...start, limit, offset],
    };
  }
  const found = branches.map(
    ({ text }) => `SELECT * FROM (SELECT created, birth ${text} ${keyset} ${inOrder} LIMIT ?)`,
  );
  return {
    text: `SELECT ${columns} FROM ${table}
      WHERE birth IN (SELECT birth FROM (${found.join(' UNION ALL ')} ${inOrder} LIMIT ? OFFSET ?)) ${inOrder}`,
    parameters: [
      ...branches.flatMap(({ parameters }) => [...parameters, ...start, offset + limit]),
      limit,
      offset,
    ],
  };
}

/** Stops at the limit. SQLite orders texts after every other type. */
export function rangeSql(
  view: ViewDefinition,
  source: Source,
  { by, from = '', upTo, limit }: RangeQuery,
): Sql {
  const { table, columns, hasUnindexed } = source;
  const index = rangeIndex(view, by);
  const column = columnOf(by);
  const bound = `${column} >= ? ${upTo === undefined ? '' : `AND ${column} <= ?`}`;
  const inOrder = `ORDER BY ${column}, created, birth LIMIT ?`;
  const parameters = [from, ...(upTo === undefined ? [] : [upTo]), limit];
  const indexed = `FROM ${table} INDEXED BY ${indexName(table, view.indexes.indexOf(index))}
    WHERE ${indexedSql(index)} AND ${bound} ${inOrder}`;
  if (!hasUnindexed) return { text: `SELECT ${columns} ${indexed}`, parameters };
  const births = [indexed, `${fromUnindexedSql(table)} AND ${bound} ${inOrder}`].map(
    (text) => `SELECT birth FROM (SELECT birth ${text})`,
  );
  return {
    text: `SELECT ${columns} FROM ${table} WHERE birth IN (${births.join(' UNION ALL ')}) ${inOrder}`,
    parameters: [...parameters, ...parameters, limit],
  };
}

/** Whether more than `max` documents match; stops there. */
export function exceedsSql(view: ViewDefinition, source: Source, query: PrefixQuery): Sql {
  const { text, parameters } = anyOf(prefixBranches(view, source, query), 'SELECT 1');
  return {
    text: `SELECT count(*) > ? FROM (${text} LIMIT ?)`,
    parameters: [query.max, ...parameters, query.max + 1],
  };
}

/** Sorts all matches, before it reads any document: ask `exceedsSql` first. */
export function prefixSql(view: ViewDefinition, source: Source, query: PrefixQuery): Sql {
  const { text, parameters } = anyOf(prefixBranches(view, source, query), 'SELECT created, birth');
  const { text: keyset, parameters: start } = keysetOf('newest', query.after);
  return {
    text: `SELECT ${source.columns} FROM ${source.table}
      WHERE birth IN (SELECT birth FROM (${text}) WHERE true ${keyset} ${NEWEST_FIRST} LIMIT ?) ${NEWEST_FIRST}`,
    parameters: [...parameters, ...start, query.limit],
  };
}

function keysetOf(order: ViewQuery['order'], after: CreationPosition | undefined): Sql {
  if (after === undefined) return { text: '', parameters: [] };
  const { created, row } = rowIn(after);
  if (order === 'logged') return { text: 'AND birth > ?', parameters: [row] };
  return {
    text: `AND (created, birth) ${order === 'newest' ? '<' : '>'} (?, ?)`,
    parameters: [created, row],
  };
}

function prefixBranches(view: ViewDefinition, source: Source, query: PrefixQuery): readonly Sql[] {
  const { table, hasUnindexed } = source;
  const { where, by, prefix } = query;
  const column = by === undefined ? 'id' : columnOf(by);
  const index = by === undefined ? undefined : prefixIndex(view, where, by);
  const found = index
    ? combinationsOf(where, Object.keys(where)).map((values) =>
        indexedBranch(view, table, index, Object.keys(where), values),
      )
    : [{ text: `FROM ${table} WHERE true`, parameters: [] }];
  const branches = hasUnindexed && index ? [...found, unindexedBranch(table, where)] : found;
  return branches.flatMap(({ text, parameters }) =>
    rangesOfPrefix(prefix).map((range) => ({
      text: `${text} AND ${column} BETWEEN ? AND ?`,
      parameters: [...parameters, ...range],
    })),
  );
}

/** Of texts, and of UUIDs, which are stored as bytes. */
function rangesOfPrefix(prefix: string): readonly (readonly [Parameter, Parameter])[] {
  const texts = [prefix, endOfPrefix(prefix)] as const;
  const [lowest, highest] = [LOWEST_UUID, HIGHEST_UUID].map((uuid) =>
    compactId(prefix + uuid.slice(prefix.length)),
  );
  return typeof lowest === 'string' ? [texts] : [texts, [lowest!, highest!]];
}

function anyOf(branches: readonly Sql[], select: string): Sql {
  return {
    text: branches.map(({ text }) => `${select} ${text}`).join(' UNION ALL '),
    parameters: branches.flatMap(({ parameters }) => parameters),
  };
}

export function countSql(view: ViewDefinition, table: string, where: Where): Sql {
  return sumOf(branchesOf(view, { table, hasUnindexed: true }, where).map(countedIn));
}

export function keptTotalSql(table: string, fields: readonly string[], where: Where): Sql {
  const kept = combinationsOf(where, fields).map((values) => ({
    text: 'SELECT n FROM counts WHERE view_table = ? AND key = ?',
    parameters: [table, countKey(fields, values)],
  }));
  return sumOf([...kept, countedIn(unindexedBranch(table, where))]);
}

function countedIn({ text, parameters }: Sql): Sql {
  return { text: `SELECT count(*) AS n ${text}`, parameters };
}

function sumOf(parts: readonly Sql[]): Sql {
  return {
    text: `SELECT total(n) FROM (${parts.map(({ text }) => text).join(' UNION ALL ')})`,
    parameters: parts.flatMap(({ parameters }) => parameters),
  };
}

/** Disjoint queries that find each matching document once. */
function branchesOf(
  view: ViewDefinition,
  { table, hasUnindexed }: Pick<Source, 'table' | 'hasUnindexed'>,
  where: Where,
  order?: ViewQuery['order'],
): readonly Sql[] {
  const index = indexFor(view, where, order);
  const fields = Object.keys(where).sort();
  const branches = index
    ? combinationsOf(where, fields).map((values) => indexedBranch(view, table, index, fields, values))
    : [{ text: `FROM ${table} INDEXED BY ${timeIndexName(table)} WHERE ${INDEXED}`, parameters: [] }];
  return hasUnindexed && !index?.onlyWhen ? [...branches, unindexedBranch(table, where)] : branches;
}

function indexedBranch(
  view: ViewDefinition,
  table: string,
  index: ViewIndex,
  fields: readonly string[],
  values: Combination,
): Sql {
  const conditions = fields.map((field) => `${columnOf(field)} IS ? AND`).join(' ');
  const by = indexName(table, view.indexes.indexOf(index));
  return {
    text: `FROM ${table} INDEXED BY ${by} WHERE ${conditions} ${indexedSql(index)}`,
    parameters: values.map(sqlValue),
  };
}

function unindexedBranch(table: string, where: Where): Sql {
  const asked = Object.keys(where).map((field) => ({ field, values: valuesOf(where, field) }));
  const conditions = asked.map(
    ({ field, values }) => `AND (${values.map(() => `${columnOf(field)} IS ?`).join(' OR ')})`,
  );
  return {
    text: `${fromUnindexedSql(table)} ${conditions.join(' ')}`,
    parameters: asked.flatMap(({ values }) => values.map((value) => sqlValue(value as Scalar))),
  };
}
