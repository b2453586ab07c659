import * as columns from './columns.js';
import type { Command } from './command.js';
import { SHELLS } from './completion.js';
import { evidenceCommands } from './evidence-commands.js';
import { exportContents, importContents, importEvents } from './export-import.js';
import * as inputs from './inputs.js';
import { account, act, get, idOf, option, post } from './inputs.js';
import { jobCommands } from './job-commands.js';
import { listen, receiver } from './listen.js';
import { printerCommands } from './printer-commands.js';
import { webhookCommands } from './webhook-commands.js';

/** What the help and the completion of a command need. */
export type Declared = Pick<Command, 'words' | 'summary' | 'args' | 'flags'>;

const backupFolder = option('folder', 'folder of the backup', 'FOLDER');

/** Started by bin/rps.mjs; access the stores directly. */
export const separatePrograms: readonly Declared[] = [
  { words: 'doctor', summary: 'check configuration and stores, whether the service runs or not' },
  { words: 'backup', summary: 'copy the data folder, whether the service runs or not', args: [backupFolder] },
  { words: 'restore', summary: 'put a backup into an empty data folder', args: [backupFolder] },
  {
    words: 'evidence verify',
    summary: 'check a proof file, without the service',
    args: [option('file', 'the proof file', 'FILE')],
  },
  { words: 'mcp', summary: 'print from an MCP client: the tools of one account over stdin and stdout' },
  { words: 'compact', summary: 'make the database of a stopped service smaller' },
];

/** Asks no service. */
export const completionCommand: Declared = {
  words: 'completion',
  summary: 'print a script that completes commands in a shell',
  args: [option('shell', 'the shell', SHELLS.join('|'), inputs.oneOf(SHELLS))],
};

export const commands: readonly Command[] = [
  post('account create', '/accounts', 'open an account', {
    flags: [
      { ...inputs.name, required: true },
      option('slug', 'its short name (default: from the name)', 'SLUG'),
      { field: 'virtual_printers_only', summary: 'refuse jobs for physical printers' },
      inputs.jobsPerMonth,
      inputs.maxContentBytes,
    ],
  }),
  get('account list', '/accounts', 'list all accounts', {
    ...{ pages: 'list', lists: 'account', names: ['slug'] },
    columns: { items: columns.ACCOUNTS },
  }),
  get('account get', '/accounts/{id}', 'show an account', { args: [idOf('account')] }),
  get('account state', '/accounts/{id}/state', 'show an account with its computers and jobs as they were', {
    args: [idOf('account')],
    flags: [{ ...inputs.moment, required: true }],
    columns: { computers: ['computer_id', 'name', 'status'] },
  }),
  act('account suspend', 'accounts', 'account', 'suspend an account until it is resumed'),
  act('account resume', 'accounts', 'account', 'resume a suspended account'),
  act('account close', 'accounts', 'account', 'close an account for good'),
  post('account environment', '/accounts/{id}/environment', 'switch the API of an account on or off', {
    args: [idOf('account'), option('enabled', 'on or off', 'on|off', inputs.onOff)],
  }),
  post('account plan', '/accounts/{id}/plan', 'change the limits of an account', {
    args: [idOf('account')],
    flags: [inputs.jobsPerMonth, inputs.maxContentBytes, inputs.maxAutoRetries],
  }),

  post('key create', '/accounts/{account}/keys', 'create an API key; the key is shown only now', {
    flags: [account, inputs.scopes, option('expires_at', 'when it expires (RFC 3339)', 'TIME'), inputs.name],
  }),
  get('key list', '/accounts/{account}/keys', 'list the API keys of an account', {
    ...{ pages: 'list', lists: 'key', names: ['name'] },
    flags: [account],
    columns: { items: columns.KEYS },
  }),
  act('key revoke', 'keys', 'key', 'revoke an API key', [inputs.aroundId]),

  post('panel link', '/panel-links', 'create a link that signs an operator in once', {
    flags: [
      { ...inputs.name, summary: 'name of the operator in the events (default operator)' },
      { ...inputs.ttl, summary: 'seconds until it expires (default 600)' },
    ],
  }),
  post('member invite', '/accounts/{account}/members', 'invite a member; the link is shown only now', {
    flags: [
      account,
      { ...inputs.name, summary: 'the part of the sign-in name before @', required: true },
      { ...inputs.role, required: true },
      option('display_name', 'what other people see (default: the name)', 'NAME'),
      { ...inputs.ttl, summary: 'seconds until the link expires (default 259200)' },
    ],
  }),
  get('member list', '/accounts/{account}/members', 'list the members of an account', {
    ...{ lists: 'member', names: ['sign_in_name'] },
    flags: [account],
    columns: { items: columns.MEMBERS },
  }),
  post('member link', '/members/{id}/link', 'create a new link, which replaces the older ones', {
    args: [idOf('member')],
    flags: [inputs.aroundId, { ...inputs.ttl, summary: 'seconds until it expires (default 1800)' }],
  }),
  post('member remove', '/members/{id}/remove', 'remove a member and end all sessions', {
    args: [idOf('member')],
    flags: [
      inputs.aroundId,
      { field: 'revoke_keys', summary: 'also revoke the API keys that the member made' },
    ],
  }),
  post('member role', '/members/{id}/role', 'change the role of a member', {
    args: [idOf('member'), inputs.role],
    flags: [inputs.aroundId],
  }),

  post('partner create', '/partners', 'create a partner', { flags: [{ ...inputs.name, required: true }] }),
  get('partner list', '/partners', 'list all partners', {
    ...{ pages: 'list', lists: 'partner', names: ['partner'] },
  }),
  post(
    'partner credential',
    '/partners/{partner}/credentials',
    'create a partner credential; it is shown only now',
    {
      flags: [
        inputs.partner,
        { ...option('kind', 'live or test', 'live|test'), required: true },
        inputs.scopes,
      ],
    },
  ),
  get('partner credentials', '/partners/{partner}/credentials', 'list the credentials of a partner', {
    lists: 'credential',
    flags: [inputs.partner],
    columns: { items: columns.CREDENTIALS },
  }),
  act('partner credential revoke', 'credentials', 'credential', 'revoke a partner credential', [
    { ...inputs.partner, required: undefined, summary: 'its partner, if ID is a short id', unsent: true },
  ]),

  post(
    'enrollment create',
    '/accounts/{account}/enrollments',
    'create a token that enrols one computer; it is shown only now',
    {
      flags: [account, option('ttl', 'seconds until it expires (default 600)', 'N', inputs.count)],
    },
  ),
  get('computer list', '/accounts/{account}/computers', 'list the computers of an account, newest first', {
    flags: [
      account,
      option('status', 'only in this status, as offline', 'STATUS'),
      option('limit', 'at most so many, 1 to 1000 (default 100)', 'N', inputs.count),
    ],
    columns: { items: columns.COMPUTERS },
  }),
  get('computer show', '/computers/{id}', 'show a computer with its printers', {
    args: [idOf('computer')],
    columns: { printers: columns.PRINTERS, added_printers: columns.ADDED },
  }),
  act('computer disable', 'computers', 'computer', 'give no more jobs to a computer'),
  act('computer enable', 'computers', 'computer', 'give jobs to a disabled computer again'),
  act('computer revoke', 'computers', 'computer', 'revoke the credential of a computer'),
  ...printerCommands,
  ...webhookCommands,
  ...jobCommands,

  get('listen', '/changes', 'follow what happens, and print it or post it to an address', {
    flags: [
      inputs.oneAccount(),
      option('after', 'begin after this cursor of the changes, not now', 'CURSOR'),
      option('forward_to', 'post each event there, signed as a webhook', 'URL', receiver),
      option('count', 'end after so many events', 'N', inputs.count),
    ],
    work: listen,
    isRaw: true,
  }),
  get('events stream', '/streams/{name}', 'list the stored events of one stream', {
    args: [option('name', 'its name, such as job-<id>', 'NAME')],
    flags: inputs.range,
    pages: 'lines',
    columns: { items: columns.EVENTS },
  }),
  get('events all', '/events', 'list all stored events in order', {
    flags: inputs.range,
    pages: 'lines',
    columns: { items: columns.EVENTS },
  }),
  get('events export', '/events', 'print all stored events as JSON lines, for `events import`', {
    flags: [inputs.after],
    pages: 'lines',
    isRaw: true,
  }),
  post('events import', '/events', 'store exported events; known ones stay as they are', {
    args: [{ field: 'file', summary: 'an export; - or none: standard input', value: 'FILE', optional: true }],
    work: importEvents,
  }),
  ...evidenceCommands,
  get('contents export', '/contents', 'save the documents of jobs that may still be printed', {
    args: [inputs.folder],
    work: exportContents,
  }),
  get('contents import', '/contents', 'store exported documents of known jobs', {
    args: [inputs.folder],
    work: importContents,
  }),
  get('views list', '/views', 'list the read models with position and lag'),
  post('views rebuild', '/views/{name}/rebuild', 'rebuild a read model from the events', {
    args: [option('name', 'its name', 'NAME')],
  }),
  post(
    'views verify',
    '/views/verify',
    'compare the read models with a replay of all events; exit 1 when one differs',
    {
      columns: { items: ['name', 'equal', 'documents'] },
      fails: (view) => view.equal === false,
    },
  ),
];
