import { randomBytes } from 'node:crypto';
import { JobScene } from '../../kit/job-scene.js';
import { publishEvidence, sizeOf, taken } from '../../kit/proofs.js';
import { rpsAt } from '../../kit/rps-at.js';
import { startTestService, type TestService } from '../../kit/service.js';
import { FileFolder } from '../../kit/verifiers.js';
import { exported, HOMES } from '../export-import.js';

const folder = new FileFolder();
afterAll(() => folder.remove());

describe('a history made anew with the key', () => {
  const SVC_MASTER_KEY = randomBytes(32).toString('base64');
  let honest: TestService;
  let forged: TestService;
  let scene: JobScene;
  let vkey: string;
  /** What the auditor kept before. */
  let kept: string;
  beforeAll(async () => {
    honest = await startTestService({ ...HOMES.sqlite, env: { SVC_MASTER_KEY } });
    scene = await JobScene.open(honest);
    await scene.at('completed', { title: 'Invoice 1' });
    await publishEvidence(honest);
    vkey = (await taken(honest, scene.key, '/log/vkey')).trim();
    kept = await taken(honest, scene.key, '/log/checkpoint');
    await scene.at('completed', { title: 'Invoice 2' });
    await publishEvidence(honest);
    forged = await startTestService({
      ...HOMES.sqlite,
      ...{ clock: honest.clock, env: { SVC_MASTER_KEY, ROLE: 'api' } },
    });
    const { code, err } = await rpsAt(forged, ['events', 'import'], madeAnew(await exported(honest)));
    expect([code, err]).toEqual([0, '']);
    await publishEvidence(forged);
  });
  afterAll(() => Promise.all([honest.close(), forged.close()]));

  const account = (service: TestService, since: string) =>
    taken(service, scene.key, `/account?since=${sizeOf(since)}`);

  it('holds by itself, and is a fork for who kept a checkpoint', async () => {
    const file = await account(forged, kept);
    expect(file).toContain('Invoice 9');
    for (const findings of folder.findings(file, vkey)) expect(findings).toEqual([]);
    for (const findings of folder.findings(file, vkey, kept)) expect(findings.join('\n')).toContain('FORK: ');
    for (const findings of folder.findings(await account(honest, kept), vkey, kept))
      expect(findings).toEqual([]);
  });

  it('is found by two auditors, each with the file of the other', async () => {
    const shown = await Promise.all([honest, forged].map((service) => account(service, kept)));
    const sizes = shown.map((file) => sizeOf(file.slice(file.indexOf('\n\n') + 2)));
    expect(sizes[0]).toBe(sizes[1]);
    for (const [own, other] of [shown, shown.toReversed()] as [string, string][])
      for (const findings of folder.findings(own, vkey, other))
        expect(findings.join('\n')).toContain('FORK: ');
  });
});

/** Changes an event, and leaves out the checkpoints: the service publishes them again, under the same origin. */
function madeAnew(text: string): string {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const left = lines.filter(({ type }) => type !== 'CheckpointPublished');
  const forge = ({ body_hash: _, ...event }: Record<string, unknown>) =>
    JSON.stringify(event).replace('Invoice 1', 'Invoice 9');
  return left.map((line) => `${forge(line)}\n`).join('');
}
