import type { Command } from './command.js';
import { get, post } from './inputs.js';

export const evidenceCommands: readonly Command[] = [
  get('evidence status', '/evidence', 'show how far the evidence log is built and published'),
  post('evidence publish', '/evidence/publish', 'publish a checkpoint of all events so far'),
  post(
    'evidence audit',
    '/evidence/audit',
    'compare every stored event with its hash; exit 1 when one differs',
    {
      columns: { items: ['kind', 'stream', 'revision', 'leaf', 'after'] },
      fails: () => true,
    },
  ),
  post('evidence new-log', '/evidence/new-log', 'begin a log with a new origin, which ends a halt'),
];
