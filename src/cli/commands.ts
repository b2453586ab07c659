import { exportContents, importContents } from './moving/contents.js';
import { importEvents } from './moving/import-events.js';
import type { Work } from './work.js';

/** Turns the text of a flag or argument into its JSON value. @throws Error that says the rule */
export type Parse = (text: string) => unknown;

/** A value the user gives. It fills `{field}` of the path if that is there; else the query of a GET or the body of a POST. */
export interface Input {
  /** Snake case, as the surface names it; the flag is the same word with dashes. */
  readonly field: string;
  readonly says: string;
  /** What the help shows in place of the value; none: the flag stands alone and means true. */
  readonly value?: string;
  readonly required?: true;
  /** An argument that may be left out. */
  readonly optional?: true;
  readonly parse?: Parse;
}

/** One row of the table in docs/operations.md. */
export interface Command {
  readonly words: string;
  readonly says: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Below /operator. */
  readonly path: string;
  readonly args?: readonly Input[];
  readonly flags?: readonly Input[];
  /** Answered in pages: followed by position and printed one item a line, or by offset and printed as one list. */
  readonly pages?: 'lines' | 'list';
  /** More than one call. */
  readonly work?: Work;
  /** Whether the answer is bad news although the call went well. */
  readonly fails?: (item: Record<string, unknown>) => boolean;
}

const count: Parse = (text) => {
  if (!/^\d{1,15}$/.test(text)) throw new Error('must be a whole number');
  return Number(text);
};
const countOrNone: Parse = (text) => (text === 'none' ? null : count(text));
const list: Parse = (text) => text.split(',').map((part) => part.trim());
const onOff: Parse = (text) => {
  if (text !== 'on' && text !== 'off') throw new Error('must be on or off');
  return text === 'on';
};

const id: Input = { field: 'id', says: 'the id', value: 'ID' };
const name: Input = { field: 'name', says: 'what people call it', value: 'NAME' };
const account: Input = { field: 'account', says: 'the account', value: 'ID', required: true };
const scopes: Input = {
  field: 'scopes',
  says: 'what it allows, with commas',
  value: 'A,B',
  required: true,
  parse: list,
};
const jobsPerMonth: Input = {
  field: 'jobs_per_month',
  says: 'a number, or none for no limit',
  value: 'N',
  parse: countOrNone,
};
const maxContentBytes: Input = {
  field: 'max_content_bytes',
  says: 'largest document',
  value: 'N',
  parse: count,
};
const maxAutoRetries: Input = { field: 'max_auto_retries', says: '1 to 10', value: 'N', parse: count };
const after: Input = { field: 'after', says: 'only what comes after this position', value: 'POSITION' };
const folder: Input = { field: 'folder', says: 'one file a document, named as its job', value: 'DIR' };
const range: readonly Input[] = [
  after,
  { field: 'limit', says: 'at most so many events (default: all)', value: 'N', parse: count },
];

const get = (words: string, path: string, says: string, more: Partial<Command> = {}): Command => ({
  words,
  says,
  method: 'GET',
  path,
  ...more,
});
const post = (words: string, path: string, says: string, more: Partial<Command> = {}): Command => ({
  ...get(words, path, says, more),
  method: 'POST',
});
/** A verb on one thing: `account suspend ID` is `POST /accounts/{id}/suspend`. */
const act = (words: string, things: string, says: string): Command =>
  post(words, `/${things}/{id}/${words.split(' ').at(-1)}`, says, { args: [id] });

export const groups: Readonly<Record<string, string>> = {
  account: 'accounts and their plans',
  key: 'API keys of an account',
  partner: 'partners and their credentials',
  enrollment: 'tokens for new computers',
  computer: 'computers that print',
  events: 'what has been stored, one JSON object a line',
  contents: 'documents of jobs that may still be printed',
  views: 'read models',
};

export const commands: readonly Command[] = [
  post('account create', '/accounts', 'open an account', {
    flags: [
      { ...name, required: true },
      { field: 'slug', says: 'its short name (default: from the name)', value: 'SLUG' },
      { field: 'virtual_printers_only', says: 'refuse jobs for printers with paper' },
      jobsPerMonth,
      maxContentBytes,
    ],
  }),
  get('account list', '/accounts', 'show all accounts', { pages: 'list' }),
  get('account get', '/accounts/{id}', 'show an account', { args: [id] }),
  act('account suspend', 'accounts', 'stop an account for a while'),
  act('account resume', 'accounts', 'let a suspended account go on'),
  act('account close', 'accounts', 'end an account for good'),
  post('account environment', '/accounts/{id}/environment', 'switch the API of an account on or off', {
    args: [id, { field: 'enabled', says: 'on or off', value: 'on|off', parse: onOff }],
  }),
  post('account plan', '/accounts/{id}/plan', 'change the limits of an account', {
    args: [id],
    flags: [jobsPerMonth, maxContentBytes, maxAutoRetries],
  }),

  post('key create', '/accounts/{account}/keys', 'make an API key; it is shown this once', {
    flags: [account, scopes, { field: 'expires_at', says: 'when it dies (RFC 3339)', value: 'TIME' }, name],
  }),
  get('key list', '/accounts/{account}/keys', 'show the keys of an account', {
    flags: [account],
    pages: 'list',
  }),
  act('key revoke', 'keys', 'kill a key'),

  post('partner create', '/partners', 'make a partner', { flags: [{ ...name, required: true }] }),
  get('partner list', '/partners', 'show all partners', { pages: 'list' }),
  post('partner credential', '/partners/{partner}/credentials', 'make a credential; it is shown this once', {
    flags: [
      { field: 'partner', says: 'the partner', value: 'ID', required: true },
      { field: 'kind', says: 'live or test', value: 'KIND', required: true },
      scopes,
    ],
  }),
  act('partner credential revoke', 'credentials', 'kill a credential'),

  post('enrollment create', '/accounts/{account}/enrollments', 'make a token that enrols one computer', {
    flags: [account, { field: 'ttl', says: 'seconds it lives (default 600)', value: 'N', parse: count }],
  }),
  act('computer disable', 'computers', 'stop giving work to a computer'),
  act('computer enable', 'computers', 'give work to it again'),
  act('computer revoke', 'computers', 'take its credential away'),

  get('events stream', '/streams/{name}', 'print the stored events of one stream', {
    args: [{ field: 'name', says: 'as job-<id>', value: 'NAME' }],
    flags: range,
    pages: 'lines',
  }),
  get('events all', '/events', 'print all stored events in order', { flags: range, pages: 'lines' }),
  get('events export', '/events', 'print all stored events, for `events import` elsewhere', {
    flags: [after],
    pages: 'lines',
  }),
  post('events import', '/events', 'store exported events; what is there already is left as it is', {
    args: [
      { field: 'file', says: 'what was exported; - or none: standard input', value: 'FILE', optional: true },
    ],
    work: importEvents,
  }),
  get('contents export', '/contents', 'save the documents of jobs that may still be printed', {
    args: [folder],
    work: exportContents,
  }),
  get('contents import', '/contents', 'store exported documents; their jobs must be there', {
    args: [folder],
    work: importContents,
  }),
  get('views list', '/views', 'show the read models, how far each is and what it lags'),
  post('views rebuild', '/views/{name}/rebuild', 'build a read model anew from the events', {
    args: [{ field: 'name', says: 'of the view', value: 'NAME' }],
  }),
  post('views verify', '/views/verify', 'replay all events and compare; exit 1 if a view differs', {
    fails: (view) => view.equal === false,
  }),
];
