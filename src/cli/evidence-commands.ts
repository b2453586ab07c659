import type { Command } from './command.js';
import { exportEvidence } from './export-evidence.js';
import { get, post } from './inputs.js';

export const evidenceCommands: readonly Command[] = [
  get('evidence status', '/evidence', 'show how far the evidence log is built and published'),
  post('evidence publish', '/evidence/publish', 'publish a checkpoint of all events so far'),
  post(
    'evidence audit',
    '/evidence/audit',
    'compare every stored event with its hash; exit 1 when one differs',
    {
      columns: { items: ['kind', 'stream', 'revision', 'leaf', 'after', 'abandoned'] },
      fails: ({ abandoned }) => abandoned !== true,
    },
  ),
  post('evidence new-log', '/evidence/new-log', 'begin a log with a new origin, which ends a halt'),
  get('evidence export', '/evidence', 'save the proof of an account, of the installation or of a job', {
    flags: [
      { field: 'account', summary: 'of this account', value: 'ID', is: 'account' },
      { field: 'system', summary: 'of what belongs to no account' },
      { field: 'job', summary: 'of this job', value: 'ID', is: 'job' },
      { field: 'from', summary: 'events from then on, and one more (RFC 3339)', value: 'TIME' },
      { field: 'to', summary: 'events until then, and one more (RFC 3339)', value: 'TIME' },
      { field: 'since', summary: 'sizes of checkpoints that are kept, as 7,120', value: 'N' },
      { field: 'output', short: 'o', summary: 'file to write (default: standard output)', value: 'FILE' },
    ],
    work: exportEvidence,
    isRaw: true,
  }),
];
