import type { ViewDefinition } from '../../kernel/projection.js';
import type { RangeQuery, ViewQuery, Where } from '../../ports/view-store.port.js';
import {
  combinationsOf,
  indexFor,
  rangeIndex,
  type Combination,
} from '../../event-sourcing/projections/view-index.js';
import { columnOf, indexName, onlyWhenSql, sqlValue } from './view-table.js';

export interface Sql {
  readonly text: string;
  readonly parameters: readonly (string | number | Uint8Array | null)[];
}

/** A table, and what to select of it. */
interface Source {
  readonly table: string;
  readonly columns: string;
}

/** Creation positions for one combination of values, read from the index. */
interface Branch {
  readonly text: string;
  readonly combinations: readonly Combination[];
}

/**
 * A page of a view. Several values for a field are queried separately and merged by creation position, so that each is
 * a scan of the index up to the end of the page, never a sort of all matches.
 */
export function pageSql(view: ViewDefinition, { table, columns }: Source, query: ViewQuery): Sql {
  const { where, order, limit, offset = 0, after } = query;
  const branch = branchOf(view, table, where);
  const keyset = after === undefined ? '' : `AND birth ${order === 'newest' ? '<' : '>'} ?`;
  const inOrder = `ORDER BY birth ${order === 'newest' ? 'DESC' : 'ASC'}`;
  const start = after === undefined ? [] : [Number(after)];
  if (branch.combinations.length === 1) {
    return {
      text: `SELECT ${columns} ${branch.text} ${keyset} ${inOrder} LIMIT ? OFFSET ?`,
      parameters: [...branch.combinations[0]!.map(sqlValue), ...start, limit, offset],
    };
  }
  const one = `SELECT birth FROM (SELECT birth ${branch.text} ${keyset} ${inOrder} LIMIT ?)`;
  const births = branch.combinations.map(() => one).join(' UNION ALL ');
  return {
    text: `SELECT ${columns} FROM ${table} WHERE birth IN (${births} ${inOrder} LIMIT ? OFFSET ?) ${inOrder}`,
    parameters: [
      ...branch.combinations.flatMap((values) => [...values.map(sqlValue), ...start, offset + limit]),
      limit,
      offset,
    ],
  };
}

/** Walks along the index and ends with the limit. SQLite orders texts after every other type. */
export function rangeSql(view: ViewDefinition, source: Source, { by, upTo, limit }: RangeQuery): Sql {
  const { table, columns } = source;
  const index = indexName(table, view.indexes.indexOf(rangeIndex(view, by)));
  const column = columnOf(by);
  const bound = upTo === undefined ? '' : `AND ${column} <= ?`;
  return {
    text: `SELECT ${columns} FROM ${table} INDEXED BY ${index} WHERE ${column} >= '' ${bound} ORDER BY ${column}, birth LIMIT ?`,
    parameters: [...(upTo === undefined ? [] : [upTo]), limit],
  };
}

/** How many documents there are, counted along the index. */
export function countSql(view: ViewDefinition, table: string, where: Where): Sql {
  const { text, combinations } = branchOf(view, table, where);
  const one = `SELECT count(*) AS n ${text}`;
  return {
    text: `SELECT sum(n) FROM (${combinations.map(() => one).join(' UNION ALL ')})`,
    parameters: combinations.flat().map(sqlValue),
  };
}

function branchOf(view: ViewDefinition, table: string, where: Where): Branch {
  const index = indexFor(view, where);
  const fields = Object.keys(where).sort();
  const combinations = combinationsOf(where, fields);
  if (!index) return { text: `FROM ${table} WHERE true`, combinations };
  const conditions = fields.map((field) => `${columnOf(field)} IS ?`).join(' AND ');
  const by = indexName(table, view.indexes.indexOf(index));
  return {
    text: `FROM ${table} INDEXED BY ${by} WHERE ${conditions} ${onlyWhenSql(index, 'AND')}`,
    combinations,
  };
}
