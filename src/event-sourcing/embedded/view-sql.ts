import type { ViewDefinition } from '../../kernel/projection.js';
import type { RangeQuery, Scalar, ViewQuery, Where } from '../ports/view-store.port.js';
import { countKey, combinationsOf, indexFor, rangeIndex, valuesOf } from '../projections/view-index.js';
import { fromUnindexedSql } from './unindexed-rows.js';
import { columnOf, indexedSql, indexName, sqlValue } from './view-table.js';

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

export function hasUnindexedSql(table: string): string {
  return `SELECT EXISTS (SELECT 1 ${fromUnindexedSql(table)})`;
}

/** Merges one index scan per value, and the unindexed rows, by creation position: never sorts all matches. */
export function pageSql(view: ViewDefinition, source: Source, query: ViewQuery): Sql {
  const { table, columns } = source;
  const { where, order, limit, offset = 0, after } = query;
  const branches = branchesOf(view, source, where);
  const keyset = after === undefined ? '' : `AND birth ${order === 'newest' ? '<' : '>'} ?`;
  const inOrder = `ORDER BY birth ${order === 'newest' ? 'DESC' : 'ASC'}`;
  const start = after === undefined ? [] : [Number(after)];
  if (branches.length === 1) {
    const [{ text, parameters }] = branches as [Sql];
    return {
      text: `SELECT ${columns} ${text} ${keyset} ${inOrder} LIMIT ? OFFSET ?`,
      parameters: [...parameters, ...start, limit, offset],
    };
  }
  const births = branches.map(
    ({ text }) => `SELECT birth FROM (SELECT birth ${text} ${keyset} ${inOrder} LIMIT ?)`,
  );
  return {
    text: `SELECT ${columns} FROM ${table}
      WHERE birth IN (${births.join(' UNION ALL ')} ${inOrder} LIMIT ? OFFSET ?) ${inOrder}`,
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
  const inOrder = `ORDER BY ${column}, birth LIMIT ?`;
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
): readonly Sql[] {
  const index = indexFor(view, where);
  if (!index) return [{ text: `FROM ${table} WHERE true`, parameters: [] }];
  const fields = Object.keys(where).sort();
  const conditions = fields.map((field) => `${columnOf(field)} IS ?`).join(' AND ');
  const by = indexName(table, view.indexes.indexOf(index));
  const branches = combinationsOf(where, fields).map((values) => ({
    text: `FROM ${table} INDEXED BY ${by} WHERE ${conditions} AND ${indexedSql(index)}`,
    parameters: values.map(sqlValue),
  }));
  return hasUnindexed && !index.onlyWhen ? [...branches, unindexedBranch(table, where)] : branches;
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
