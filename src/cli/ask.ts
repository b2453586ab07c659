import { randomUUID } from 'node:crypto';
import type { Command, Values } from './command.js';
import { type Call, CallFailed, type OperatorClient } from './operator-client.js';

export type Item = Record<string, unknown>;

/** All ids in full, and the account of an operation of the Integration API. */
export interface Resolved {
  readonly values: Values;
  readonly account?: string | undefined;
}

const PAGE = 1000;
/** The largest page of the Integration API. */
const PAGE_IN_ACCOUNT = 100;

/** What a command without `work` prints; undefined if it is nothing. @throws CallFailed */
export async function ask(client: OperatorClient, command: Command, { values, account }: Resolved) {
  const { pages, pick, part, only } = command;
  const call = callOf(command, values, account);
  const data = pages === 'list' ? await wholeList(client, call) : await client.call(call);
  if (pick) return picked(data, command, values);
  const shown = (part ? (data as Item)[part] : data) as Item;
  if (!only) return shown;
  return Object.fromEntries(only.filter((field) => field in shown).map((field) => [field, shown[field]]));
}

function picked(data: unknown, { pick, args, words }: Command, values: Values): Item {
  const id = values[args![0]!.field];
  const found = itemsOf(data).find((item) => item[pick!] === id);
  const [kind] = words.split(' ');
  if (!found) throw new CallFailed(`no ${kind} is ${String(id)}`, `\`rps ${kind} list\` shows them all.`);
  return found;
}

/** Follows positions. @throws CallFailed */
export async function* eventPages(
  client: OperatorClient,
  command: Command,
  values: Values,
): AsyncGenerator<Item[]> {
  let after = values.after;
  let wanted = typeof values.limit === 'number' ? values.limit : Infinity;
  while (wanted > 0) {
    const limit = Math.min(wanted, PAGE);
    const items = itemsOf(await client.call(pageOf(callOf(command, { ...values, after }), { limit })));
    if (items.length > 0) yield items;
    if (items.length < limit) return;
    wanted -= items.length;
    after = items.at(-1)?.position;
  }
}

async function wholeList(client: OperatorClient, call: Call): Promise<object> {
  const limit = call.account === undefined ? PAGE : PAGE_IN_ACCOUNT;
  const items: Item[] = [];
  for (;;) {
    const page = itemsOf(await client.call(pageOf(call, { limit, offset: items.length })));
    items.push(...page);
    if (page.length < limit) return { items, total: items.length };
  }
}

function pageOf({ query, ...call }: Call, range: Readonly<Record<string, number>>): Call {
  const given = Object.entries(range).map(([name, value]) => [name, `${value}`]);
  return { ...call, query: { ...query, ...Object.fromEntries(given) } };
}

function callOf(command: Command, values: Values, account?: string): Call {
  const { method, path, surface, args = [], flags = [], body, keyed } = command;
  const sent = [...args, ...flags].filter(
    ({ field, unsent }) => values[field] !== undefined && !unsent && !path.includes(`{${field}}`),
  );
  const to = {
    ...{ method, account: surface === 'integration' ? account : undefined },
    path: path.replace(/\{(\w+)\}/g, (_, field: string) => encodeURIComponent(String(values[field]))),
    ...(keyed && { headers: { 'idempotency-key': String(values.idempotency_key ?? randomUUID()) } }),
  };
  const given = (of: (value: unknown) => unknown) =>
    Object.fromEntries(sent.map(({ field }) => [field, of(values[field])]));
  if (method === 'POST') return { ...to, body: { ...given((value) => value), ...body } };
  return { ...to, query: given(String) as Record<string, string> };
}

export function itemsOf(data: unknown): Item[] {
  if (Array.isArray(data)) return data as Item[];
  return (data as { items?: Item[] } | undefined)?.items ?? [];
}
