import { isPlain, type Document } from '../bson/compose.js';
import { ServerError } from '../server-error.js';

type Holder = Record<string, unknown>;

const isHolder = (value: unknown): value is Holder => Array.isArray(value) || isPlain(value);

/** The document or list that has the last field of a dotted path; made on the way if asked, as `$set` does. */
function holderOf(document: Document, path: string, make: boolean): [Holder, string] | undefined {
  const names = path.split('.');
  const last = names.pop()!;
  let holder: Holder = document;
  for (const name of names) {
    const next = holder[name];
    if (isHolder(next)) holder = next;
    else if (!make) return undefined;
    else if (next === undefined) holder = holder[name] = {} as Holder;
    else throw new ServerError('PathNotViable', `Cannot create field '${last}' in element {${name}}`, {}, 28);
  }
  return [holder, last];
}

export function fieldOf(document: Document, path: string): unknown {
  const found = holderOf(document, path, false);
  return found?.[0][found[1]];
}

export function setField(document: Document, path: string, value: unknown): void {
  const [holder, name] = holderOf(document, path, true)!;
  if (Array.isArray(holder)) while (holder.length < Number(name)) holder.push(null);
  holder[name] = value;
}

export function unsetField(document: Document, path: string): void {
  const found = holderOf(document, path, false);
  if (!found) return;
  const [holder, name] = found;
  if (!Array.isArray(holder)) delete holder[name];
  else if (name in holder) holder[Number(name)] = null;
}
