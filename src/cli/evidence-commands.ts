import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Command, Work } from './command.js';
import { get, post } from './inputs.js';
import { CallFailed, UsageFailed } from './operator-client.js';

/** Streams a proof file to `output`, which appears when it is whole, or to the standard output. */
export const exportEvidence: Work = async (client, values, { out }) => {
  const { account, system, job, from, to, since, output } = values;
  if ([account, system, job].filter((one) => one !== undefined).length !== 1)
    throw new UsageFailed('which proof is not said', 'Give one of --account ID, --system and --job ID.');
  const path =
    job === undefined
      ? `/evidence/accounts/${encodeURIComponent(system ? 'system' : String(account))}`
      : `/evidence/streams/job-${encodeURIComponent(String(job))}`;
  const given = Object.entries({ from, to, since }).filter(([, value]) => value !== undefined);
  const body = await client.open(
    path,
    Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
  );
  try {
    if (output === undefined)
      for await (const text of body.pipeThrough(new TextDecoderStream())) await out(text);
    else {
      await pipeline(body, createWriteStream(`${String(output)}.part`, { mode: 0o600 }));
      await rename(`${String(output)}.part`, String(output));
    }
  } catch (error) {
    throw new CallFailed(
      `the proof could not be saved: ${(error as Error).message}`,
      'Run the command again.',
    );
  }
};

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
