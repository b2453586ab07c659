import type { Command, Input, Parse } from './command.js';
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
export const onOff: Parse = (text) => {
  if (text !== 'on' && text !== 'off') throw new Error('must be on or off');
  return text === 'on';
};

export const id: Input = { field: 'id', summary: 'the id', value: 'ID' };
export const name: Input = { field: 'name', summary: 'a name for people', value: 'NAME' };
export const computer: Input = { field: 'id', summary: 'the computer', value: 'COMPUTER' };
export const address: Input = {
  field: 'address',
  summary: 'socket://host:9100, ipp://host/path or file:/dev/usb/lp0',
  value: 'ADDRESS',
};
export const account: Input = { field: 'account', summary: 'the account', value: 'ID', required: true };
export const role: Input = { field: 'role', summary: 'viewer, developer or owner', value: 'ROLE' };
export const moment: Input = { field: 'at', summary: 'the moment (RFC 3339)', value: 'TIME' };
export const ttl: Input = { field: 'ttl', summary: '', value: 'S', parse: count };
export const scopes: Input = {
  field: 'scopes',
  summary: 'its scopes, separated by commas',
  value: 'A,B',
  required: true,
  parse: list,
};
export const jobsPerMonth: Input = {
  field: 'jobs_per_month',
  summary: 'a number, or none for no limit',
  value: 'N',
  parse: orNone(count),
};
export const maxContentBytes: Input = {
  field: 'max_content_bytes',
  summary: 'largest document, in bytes',
  value: 'N',
  parse: count,
};
export const maxAutoRetries: Input = {
  field: 'max_auto_retries',
  summary: 'automatic retries of a job, 1 to 10',
  value: 'N',
  parse: count,
};
const asGiven: Parse = (text) => text;
/** `none` = not set. */
export const printerSettings: readonly Input[] = [
  {
    field: 'text_encoding',
    summary: 'what text is encoded in: utf-8, cp437, cp858, windows-1252 …, or none',
    value: 'E',
    parse: orNone(asGiven),
  },
  { field: 'line_ending', summary: 'lf, crlf, cr or none', value: 'L', parse: orNone(asGiven) },
  { field: 'text_mode', summary: 'raw, pages (text is drawn) or none', value: 'M', parse: orNone(asGiven) },
  { field: 'cut_after', summary: 'of ESC/POS printers: on, off or none', value: 'C', parse: orNone(onOff) },
  { field: 'display_name', summary: 'empty = its own name again', value: 'NAME' },
  { field: 'enabled', summary: 'on or off', value: 'on|off', parse: onOff },
  { field: 'paused', summary: 'on: its jobs wait, or off', value: 'on|off', parse: onOff },
];
export const after: Input = { field: 'after', summary: 'only events after this position', value: 'POSITION' };
export const folder: Input = {
  field: 'folder',
  summary: 'holds one file a document, named after its job',
  value: 'DIR',
};
export const range: readonly Input[] = [
  after,
  { field: 'limit', summary: 'at most so many events (default: all)', value: 'N', parse: count },
];

/** Flags with a value, in the order of the API. */
const option = (field: string, summary: string, value: string, parse?: Parse): Input => ({
  field,
  summary,
  value,
  ...(parse && { parse }),
});
export const jobFlags: readonly Input[] = [
  { field: 'printer', summary: 'its id, code or name', value: 'P', required: true },
  { field: 'account_id', flag: 'account', summary: 'of the printer, if its name is not unique', value: 'ID' },
  option('copies', '1 to 20', 'N', count),
  option('title', 'name in the queue (default: of the file)', 'T'),
  option('external_id', 'your own id', 'ID'),
  option('idempotency_key', 'repeats with this key print once', 'KEY'),
  option('paper', 'A6, 4x6, iso_a4_210x297mm, 100x150mm', 'P', paper),
  option('tray', 'as the printer calls it', 'TRAY'),
  option('duplex', 'one-sided, long-edge or short-edge', 'SIDES'),
  option('color', 'on or off', 'on|off', onOff),
  option('scale', 'actual, fit or shrink', 'SCALE'),
  option('orientation', 'portrait or landscape', 'O'),
  option('rotate', '0, 90, 180 or 270', 'DEGREES', count),
  option('pages', 'as 1-3,7,10-', 'PAGES'),
  option('collate', 'on or off', 'on|off', onOff),
  { field: 'resolution_dpi', flag: 'resolution', summary: 'in dpi', value: 'N', parse: count },
  option('unsupported', 'refuse or ignore what the printer cannot apply', 'DO'),
  { field: 'wait', summary: 'until the spooler has it; shows the receipt' },
];

export const get = (words: string, path: string, says: string, more: Partial<Command> = {}): Command => ({
  words,
  summary: says,
  method: 'GET',
  path,
  ...more,
});
export const post = (words: string, path: string, says: string, more: Partial<Command> = {}): Command => ({
  ...get(words, path, says, more),
  method: 'POST',
});
/** `account suspend ID` is `POST /accounts/{id}/suspend`. */
export const act = (words: string, things: string, says: string): Command =>
  post(words, `/${things}/{id}/${words.split(' ').at(-1)}`, says, { args: [id] });
