import * as columns from './columns.js';
import type { Command, Input } from './command.js';
import * as inputs from './inputs.js';
import { aroundId, get, idOf, inAccount, post } from './inputs.js';

const ofAddedPrinter: Input = { ...inputs.name, summary: 'what the printer is called' };
const added = { columns: { added_printers: columns.ADDED } };
const inThisAccount = { surface: 'integration' } as const;

/** A change of one setting. */
const set = (verb: string, says: string, body: NonNullable<Command['body']>): Command =>
  post(`printer ${verb}`, '/printers/{id}', says, { args: [idOf('printer')], flags: [aroundId], body });

export const printerCommands: readonly Command[] = [
  get('printer list', '/svc-api-printers', 'list the printers of an account, newest first', {
    ...inThisAccount,
    flags: [
      inAccount,
      { ...inputs.option('computer_id', 'only of this computer', 'ID'), flag: 'computer', is: 'computer' },
      inputs.option('status', 'only in this status', 'online|offline|disabled|removed'),
    ],
    ...{ pages: 'list', lists: 'printer', names: ['printer_code', 'name'] },
    columns: { items: columns.PRINTERS_OF_ACCOUNT },
  }),
  get('printer show', '/svc-api-printers', 'show a printer with its capabilities', {
    ...inThisAccount,
    args: [{ ...idOf('printer'), unsent: true }],
    flags: [inAccount],
    pages: 'list',
    pick: 'printer_id',
  }),
  post('printer test', '/svc-api-printers/{id}/test', 'print a test page', {
    ...inThisAccount,
    args: [idOf('printer')],
    flags: [inAccount],
  }),
  set('pause', 'let the jobs of a printer wait', { paused: true }),
  set('resume', 'go on with the jobs of a paused printer', { paused: false }),
  set('disable', 'take no more jobs for a printer', { enabled: false }),
  set('enable', 'take jobs for a disabled printer again', { enabled: true }),
  post(
    'printer set',
    '/printers/{id}',
    'change how a printer takes text, its name, or whether it takes jobs',
    { args: [idOf('printer')], flags: [aroundId, ...inputs.printerSettings] },
  ),
  post('printer add', '/computers/{id}/printers', 'add a printer without a queue, or change its address', {
    args: [inputs.computer, ofAddedPrinter, inputs.address],
    ...added,
  }),
  {
    ...get('printer remove', '/computers/{id}/printers/{name}', 'take back a printer that was added', {
      args: [inputs.computer, ofAddedPrinter],
      ...added,
    }),
    method: 'DELETE',
  },
];
