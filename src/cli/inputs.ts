import type { Command, Input, Kind, Parse } from './command.js';
import { paper } from './create-job.js';

export const count: Parse = (text) => {
  if (!/^\d{1,15}$/.test(text)) throw new Error('must be a whole number');
  return Number(text);
};
const orNone =
  (parse: Parse): Parse =>
  (text) =>
    text === 'none' ? null : parse(text);
export const list: Parse = (text) => text.split(',').map((part) => part.trim());
export const oneOf =
  (values: readonly string[]): Parse =>
  (text) => {
    if (!values.includes(text)) throw new Error(`must be one of ${values.join(', ')}`);
    return text;
  };
export const onOff: Parse = (text) => {
  if (text !== 'on' && text !== 'off') throw new Error('must be on or off');
  return text === 'on';
};

export const option = (field: string, summary: string, value: string, parse?: Parse): Input => ({
  ...{ field, summary, value },
  ...(parse && { parse }),
});

/** The argument that names one thing. */
export const idOf = (is: Kind, summary = `the ${is}`, value = 'ID'): Input => ({
  ...option('id', summary, value),
  is,
});
export const name = option('name', 'a name for people', 'NAME');
export const computer = idOf('computer', 'the computer', 'COMPUTER');
export const address = option(
  'address',
  'socket://host:9100, ipp://host/path or file:/dev/usb/lp0',
  'ADDRESS',
);
const ofAccount = { flag: 'account', value: 'ID', env: 'RPS_ACCOUNT', is: 'account' } as const;
export const account: Input = { ...ofAccount, field: 'account', summary: 'the account', required: true };
/** Of an operation that lists or finds things of all accounts. */
export const oneAccount = (summary = 'only of this account'): Input => ({
  ...ofAccount,
  ...{ field: 'account_id', summary },
});
/** Of an operation of the Integration API. */
export const inAccount: Input = { ...account, unsent: true };
/** Where a short id or a name is looked for. */
export const aroundId: Input = {
  ...ofAccount,
  ...{ field: 'account', summary: 'its account, if ID is a short id or a name', unsent: true },
};
export const partner: Input = { ...option('partner', 'the partner', 'ID'), is: 'partner', required: true };
export const role = option('role', 'viewer, developer or owner', 'viewer|developer|owner');
export const moment = option('at', 'the moment (RFC 3339)', 'TIME');
export const ttl = option('ttl', '', 'S', count);
export const scopes: Input = {
  ...option('scopes', 'its scopes, separated by commas', 'A,B', list),
  required: true,
};
export const jobsPerMonth = option('jobs_per_month', 'a number, or none for no limit', 'N', orNone(count));
export const maxContentBytes = option('max_content_bytes', 'largest document, in bytes', 'N', count);
export const maxAutoRetries = option('max_auto_retries', 'automatic retries of a job, 1 to 10', 'N', count);
const asGiven: Parse = (text) => text;
/** `none` = not set. */
export const printerSettings: readonly Input[] = [
  option(
    'text_encoding',
    'what text is encoded in: utf-8, cp437, cp858, windows-1252 …, or none',
    'E',
    orNone(asGiven),
  ),
  option('line_ending', 'lf, crlf, cr or none', 'L', orNone(asGiven)),
  option('text_mode', 'raw, pages (text is drawn) or none', 'M', orNone(asGiven)),
  option('cut_after', 'of ESC/POS printers: on, off or none', 'C', orNone(onOff)),
  option('display_name', 'empty = its own name again', 'NAME'),
  option('enabled', 'on or off', 'on|off', onOff),
  option('paused', 'on: its jobs wait, or off', 'on|off', onOff),
];
export const after = option('after', 'only events after this position', 'POSITION');
export const folder = option('folder', 'holds one file a document, named after its job', 'DIR');
export const range: readonly Input[] = [
  after,
  option('limit', 'at most so many events (default: all)', 'N', count),
];

/** In the order of the API. */
export const jobFlags: readonly Input[] = [
  { ...option('printer', 'its id, code or name', 'P'), required: true },
  oneAccount('of the printer, if its name is not unique'),
  option('copies', '1 to 20', 'N', count),
  option('title', 'name in the queue (default: of the file)', 'T'),
  option('external_id', 'your own id', 'ID'),
  option('idempotency_key', 'repeats with this key print once (8 characters or more)', 'KEY'),
  option('paper', 'A6, 4x6, iso_a4_210x297mm, 100x150mm', 'P', paper),
  option('tray', 'as the printer calls it', 'TRAY'),
  option('duplex', 'the sides that are printed', 'one-sided|long-edge|short-edge'),
  option('color', 'on or off', 'on|off', onOff),
  option('scale', 'how pages are fitted to the paper', 'actual|fit|shrink'),
  option('orientation', 'of the pages', 'portrait|landscape'),
  option('rotate', 'by degrees', '0|90|180|270', count),
  option('pages', 'as 1-3,7,10-', 'PAGES'),
  option('collate', 'on or off', 'on|off', onOff),
  { field: 'resolution_dpi', flag: 'resolution', summary: 'in dpi', value: 'N', parse: count },
  option('unsupported', 'what the printer cannot apply', 'refuse|ignore'),
  { field: 'wait', summary: 'until the spooler has it; shows the receipt' },
];

type More = Partial<Command>;

export const get = (words: string, path: string, says: string, more: More = {}): Command => ({
  words,
  summary: says,
  method: 'GET',
  path,
  ...more,
});
export const post = (words: string, path: string, says: string, more: More = {}): Command => ({
  ...get(words, path, says, more),
  method: 'POST',
});
/** `account suspend ID` is `POST /accounts/{id}/suspend`. */
export const act = (words: string, things: string, is: Kind, says: string, flags: readonly Input[] = []) =>
  post(words, `/${things}/{id}/${words.split(' ').at(-1)}`, says, { args: [idOf(is)], flags });
