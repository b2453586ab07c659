export type { Keyless } from './batches.js';
export type { ChangesOptions, CursorStore } from './changes.js';
export { pdf, raw, text, type Content } from './content.js';
export * from './errors.js';
export type { List } from './lists.js';
export type { CallOptions, KeyedOptions } from './transport.js';
export type { Ended, Outcome, WaitOptions } from './waiting.js';

/** `group.method` of a client. */
export type MethodOf<Client> = {
  [Group in keyof Client & string]: `${Group}.${keyof Client[Group] & string}`;
}[keyof Client & string];
