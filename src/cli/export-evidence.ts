import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { CallFailed, UsageFailed } from './operator-client.js';
import type { Work } from './command.js';

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
