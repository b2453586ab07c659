import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startEventStoreServer } from '../stand-ins/eventstore/eventstore-server.js';
import { VERSIONS } from '../stand-ins/eventstore/versions.js';
import type { Step } from './conversation.js';
import { differences, fileOf, NAMES, play, recordingOf } from './playing.js';

// npm run test:recordings                                       the stand-in, as each version
// npm run test:recordings -- --url HOST:PORT --like VERSION     a server, against the recording of a version
// npm run test:recordings -- --url HOST:PORT --record VERSION   writes what a real server answers
const { values } = parseArgs({
  options: { url: { type: 'string' }, like: { type: 'string' }, record: { type: 'string' } },
});
const count = { passed: 0, failed: 0 };

async function compare(address: string, version: string): Promise<void> {
  const recorded = recordingOf(version);
  for (const name of NAMES) {
    const found = differences(await play(name, address), recorded[name]);
    count[found.length === 0 ? 'passed' : 'failed'] += 1;
    if (found.length > 0) console.log([`${version}: ${name}`, ...found].join('\n').replaceAll('\n', '\n  '));
  }
}

async function compareStandIn(version: string): Promise<void> {
  const server = await startEventStoreServer({ like: version });
  await compare(`127.0.0.1:${server.port}`, version);
  await server.stop();
}

async function record(address: string, version: string): Promise<void> {
  const recording: Record<string, readonly Step[]> = {};
  for (const name of NAMES) recording[name] = await play(name, address);
  writeFileSync(fileOf(version), `${JSON.stringify(recording, undefined, 1)}\n`);
  console.log(`${NAMES.length} conversations recorded`);
}

const { url, like } = values;
if (url && values.record) await record(url, values.record);
else {
  const versions = like ? [like] : VERSIONS;
  for (const version of versions) await (url ? compare(url, version) : compareStandIn(version));
  console.log(`${count.passed} passed, ${count.failed} failed`);
  process.exitCode = count.failed ? 1 : 0;
}
