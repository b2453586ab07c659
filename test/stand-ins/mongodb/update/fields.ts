import { isPlain, type Document } from '../bson/compose.js';
import { ServerError } from '../server-error.js';

export function fieldOf(document: Document, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((holder, name) => (isPlain(holder) ? holder[name] : undefined), document);
}

/** Makes the documents on the way, as `$set` does. */
export function setField(document: Document, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop()!;
  let holder = document;
  for (const name of names) {
    const next = (holder[name] ??= {});
    if (!isPlain(next))
      throw new ServerError('PathNotViable', `Cannot create field '${last}' in element {${name}}`, {}, 28);
    holder = next;
  }
  holder[last] = value;
}

/** Leaves the documents on the way as they are, even when they become empty. */
export function unsetField(document: Document, path: string): void {
  const names = path.split('.');
  const last = names.pop()!;
  const holder = names.length === 0 ? document : fieldOf(document, names.join('.'));
  if (isPlain(holder)) delete holder[last];
}
