import { ask, type Item, itemsOf, type Resolved } from './ask.js';
import type { Command, Input, Kind, Values } from './command.js';
import { commands } from './commands.js';
import { printable } from './display.js';
import { CallFailed, type OperatorClient } from './operator-client.js';

type Owners = Partial<Record<Kind, string>>;

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const BEGINNING = /^[0-9a-f][0-9a-f-]{5,35}$/i;
const MAX_SHOWN = 10;
/** The largest page of a list that is not followed. */
const PAGE = 100;
/** Results of the search of operators; of more it answers the first. */
const MAX_FOUND = 20;
/** So many places are kept for each of its kinds. */
const SHARE = 5;
const LABELS = ['title', 'name', 'sign_in_name', 'url', 'event_type'];

/** Those first in which the others are looked for. */
const ORDER: readonly (Kind | undefined)[] = ['account', 'partner', 'job'];
const rank = ({ is }: Input) => (ORDER.includes(is) ? ORDER.indexOf(is) : ORDER.length);

/** Replaces slugs, names and beginnings of ids. @throws CallFailed that lists the candidates */
export async function resolveIds(client: OperatorClient, command: Command, given: Values): Promise<Resolved> {
  const { flags = [], args = [], surface } = command;
  const named = [...flags, ...args].filter(({ is, field }) => is && given[field] !== undefined);
  const values = { ...given };
  const owners: Owners = {};
  for (const { is, field } of named.sort((a, b) => rank(a) - rank(b))) {
    const id = await idOf(client, is!, String(values[field]), owners);
    values[field] = owners[is!] = id;
    if (is === 'job' && surface === 'integration') {
      const job = await client.call({ method: 'GET', path: `/jobs/${id}` });
      owners.account = (job as { account_id: string }).account_id;
    }
  }
  return { values, account: owners.account };
}

async function idOf(client: OperatorClient, kind: Kind, text: string, owners: Owners): Promise<string> {
  if (ID.test(text)) return text.toLowerCase();
  const list = commands.find(({ lists }) => lists === kind);
  const items = await (list ? listed(client, list, text, owners) : searched(client, kind, text));
  const found = matching(items, kind, list ? (list.names ?? []) : ['name'], text.toLowerCase());
  if (found.length === 1) return String(found[0]![`${kind}_id`]);
  if (found.length > 1) throw ambiguous(kind, text, found);
  throw new CallFailed(
    `no ${kind} is ${text}`,
    list && isOnePage(list) && items.length >= PAGE
      ? `It is not among the newest ${PAGE}: give the whole id.`
      : 'Give the id, at least its first 6 characters, or the slug, code or name.',
  );
}

/** Such as that of deliveries. */
const isOnePage = ({ flags }: Command) => flags?.some(({ field }) => field === 'limit');

async function listed(client: OperatorClient, list: Command, text: string, owners: Owners) {
  const owner = list.flags?.find(({ required }) => required);
  const id = owner && owners[owner.is!];
  if (owner && id === undefined)
    throw new CallFailed(
      `${text} is no whole id`,
      `Give the whole id, or with --${owner.field} where it is looked for.`,
    );
  const values = { ...(owner && { [owner.field]: id }), ...(isOnePage(list) && { limit: PAGE }) };
  return itemsOf(await ask(client, list, { values, account: owners.account }));
}

/** Jobs and computers of all accounts; the search shows a computer as `PC-1A2B3C4D, online`. */
async function searched(client: OperatorClient, kind: Kind, q: string): Promise<Item[]> {
  const { results } = (await client.call({ method: 'GET', path: '/search', query: { q } })) as {
    results: readonly { kind: Kind; id: string; title: string; detail: string }[];
  };
  const found = results.filter((one) => one.kind === kind);
  const isComputer = kind === 'computer';
  const coded = found.filter(({ detail }) => isComputer && detail.split(',')[0] === q.toUpperCase());
  // One that was left out may have the same name or beginning; a code is unique.
  if (results.length >= MAX_FOUND && found.length >= SHARE && coded.length === 0)
    throw new CallFailed(
      `too much begins with ${q}`,
      isComputer
        ? 'Give its code, as PC-1A2B3C4D, which is unique, or more of its id.'
        : `Give more of the id of the ${kind}.`,
    );
  return found.map((one) => ({
    ...{ [`${kind}_id`]: one.id, title: one.title },
    ...(isComputer && { name: coded.includes(one) ? q : one.title }),
  }));
}

/** Whole names before beginnings of ids. */
function matching(items: readonly Item[], kind: Kind, names: readonly string[], text: string) {
  const named = items.filter((item) => names.some((name) => String(item[name]).toLowerCase() === text));
  if (named.length > 0 || !BEGINNING.test(text)) return named;
  return items.filter((item) => String(item[`${kind}_id`]).startsWith(text));
}

function ambiguous(kind: Kind, text: string, found: readonly Item[]) {
  const lines = found.slice(0, MAX_SHOWN).map((item) => {
    const name = printable(String(LABELS.map((field) => item[field]).find(Boolean) ?? ''));
    return `\n  ${String(item[`${kind}_id`])}  ${name}`.trimEnd();
  });
  const more = found.length > MAX_SHOWN ? `\n  and ${found.length - MAX_SHOWN} more` : '';
  return new CallFailed(
    `${text} is one of ${found.length}: each is a ${kind} of this name or beginning`,
    `Give the id, or more of it:${lines.join('')}${more}`,
  );
}
