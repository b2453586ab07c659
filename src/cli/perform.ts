import type { Command, Streams, Values } from './command.js';
import { displayed, table } from './display.js';
import type { Call, OperatorClient } from './operator-client.js';

type Item = Record<string, unknown>;

const PAGE = 1000;

/** Resolves to the exit code. @throws CallFailed */
export async function perform(
  client: OperatorClient,
  command: Command,
  values: Values,
  streams: Streams,
): Promise<number> {
  const { out: print, readable = false } = streams;
  if (command.pages === 'lines') {
    for await (const page of eventPages(client, command, values))
      await print(readable && command.columns ? table(page, command.columns.items) : linesOf(page));
    return 0;
  }
  const data = await answered(client, command, values, streams);
  if (data === undefined) return 0;
  await print(readable ? displayed(data, command.columns) : `${JSON.stringify(data, null, 2)}\n`);
  return itemsOf(data).some((item) => command.fails?.(item)) ? 1 : 0;
}

async function answered(client: OperatorClient, command: Command, values: Values, streams: Streams) {
  if (command.work) return command.work(client, values, streams);
  if (command.pages === 'list') return wholeList(client, command, values);
  const data = await client.call(callOf(command, values));
  return command.only ? picked(data as Item, command.only) : data;
}

const linesOf = (items: readonly Item[]) => items.map((item) => `${JSON.stringify(item)}\n`).join('');

async function* eventPages(client: OperatorClient, command: Command, values: Values): AsyncGenerator<Item[]> {
  let after = values.after;
  let wanted = typeof values.limit === 'number' ? values.limit : Infinity;
  while (wanted > 0) {
    const limit = Math.min(wanted, PAGE);
    const { method, path, query } = callOf(command, { ...values, after });
    const items = itemsOf(await client.call({ method, path, query: { ...query, limit: `${limit}` } }));
    if (items.length > 0) yield items;
    if (items.length < limit) return;
    wanted -= items.length;
    after = items.at(-1)?.position;
  }
}

async function wholeList(client: OperatorClient, command: Command, values: Values): Promise<object> {
  const { method, path, query } = callOf(command, values);
  const items: Item[] = [];
  for (;;) {
    const range = { limit: `${PAGE}`, offset: `${items.length}` };
    const page = itemsOf(await client.call({ method, path, query: { ...query, ...range } }));
    items.push(...page);
    if (page.length < PAGE) return { items, total: items.length };
  }
}

function picked(item: Item, fields: readonly string[]): Item {
  return Object.fromEntries(fields.filter((field) => field in item).map((field) => [field, item[field]]));
}

function callOf({ method, path, args = [], flags = [] }: Command, values: Values): Call {
  const given = [...args, ...flags].map(({ field }) => [field, values[field]] as const);
  const inPath = (field: string) => path.includes(`{${field}}`);
  const rest = Object.fromEntries(given.filter(([field, value]) => value !== undefined && !inPath(field)));
  const filled = path.replace(/\{(\w+)\}/g, (_, field: string) => encodeURIComponent(String(values[field])));
  if (method === 'POST') return { method, path: filled, body: rest };
  const query = Object.fromEntries(Object.entries(rest).map(([field, value]) => [field, String(value)]));
  return { method, path: filled, query };
}

function itemsOf(data: unknown): Item[] {
  if (Array.isArray(data)) return data as Item[];
  return (data as { items?: Item[] } | undefined)?.items ?? [];
}
