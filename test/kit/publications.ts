import { LogBuilder, type LogSources } from '../../src/evidence/log-builder.js';
import { publishEvidence, sizeOf, taken } from './proofs.js';
import type { StoredEvent } from './stored-events.js';
import { FileFolder } from './verifiers.js';
import type { Reachable } from './world.js';

/** How far the first publication of a log was when the service was killed. */
export const STEPS = [
  'nothing',
  'hashes stored',
  'log begun',
  'its beginning read',
  'checkpoint stored',
  'checkpoint read',
  'later',
] as const;

async function logOf(service: Reachable): Promise<readonly StoredEvent[]> {
  const { items } = await service.operate('GET', '/events?limit=1000');
  return (items as StoredEvent[]).filter(({ stream }) => stream.startsWith('evidence-'));
}

/** The step of a service that was started again and has published nothing since. */
export async function stepOf(service: Reachable): Promise<(typeof STEPS)[number]> {
  const { events, origin, checkpoint } = await service.operate('GET', '/evidence');
  const stored = (await logOf(service)).length;
  if (stored === 0) return events === 0 ? 'nothing' : 'hashes stored';
  if (stored === 1) return origin === undefined ? 'log begun' : 'its beginning read';
  if (stored === 2) return checkpoint === null ? 'checkpoint stored' : 'checkpoint read';
  return 'later';
}

/** Publishes, and takes the checkpoint out of the house: every later state must continue it. */
export async function publishAndKeep(service: Reachable, key: string, kept: string[]): Promise<void> {
  await publishEvidence(service);
  kept.push(await taken(service, key, '/log/checkpoint'));
}

/**
 * Expects one log that continues each kept checkpoint, with the tree of a builder that was never interrupted.
 * @param texts all events, for that builder
 */
export async function expectOneLog(
  service: Reachable,
  key: string,
  kept: readonly string[],
  sources: LogSources,
): Promise<void> {
  const { halted, checkpoint } = await publishEvidence(service);
  expect(halted).toBeNull();
  expect(await service.operate('POST', '/evidence/audit')).toMatchObject({ total: 0 });
  expect((await logOf(service)).filter(({ type }) => type === 'EvidenceLogStarted')).toHaveLength(1);
  const builder = new LogBuilder(sources);
  let progress = await builder.advance();
  while (!progress.isAtEnd && !progress.halt) progress = await builder.advance();
  expect(progress.log?.checkpoint).toEqual(checkpoint);
  const folder = new FileFolder();
  const file = await taken(service, key, `/account?since=${kept.map(sizeOf).join()}`);
  const vkey = (await taken(service, key, '/log/vkey')).trim();
  for (const findings of folder.findings(file, vkey, ...kept)) expect(findings).toEqual([]);
  folder.remove();
}
