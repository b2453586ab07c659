import { EvidenceExport, type ExportPart } from '../../src/evidence/exports.js';
import { LogBuilder } from '../../src/evidence/log-builder.js';
import { publishedTile } from '../../src/evidence/log-tiles.js';
import { PublishedLog } from '../../src/evidence/published-log.js';
import { NoteKey } from '../../src/evidence/signed-note.js';
import { signCheckpoint } from '../../src/evidence/statements.js';
import { numberBytes } from '../../src/evidence/stored-log.js';
import { rootOf } from '../../src/evidence/tree.js';
import type { Instant } from '../../src/kernel/time.js';
import { EVIDENCE_KEY, EvidenceScene, job, queued } from '../kit/evidence-scene.js';
import { vectors } from '../kit/evidence-vectors.js';
import { metadata } from '../kit/recorded.js';
import { byNode, FileFolder, findingsOf, type Records } from '../kit/verifiers.js';

const folder = new FileFolder();
afterAll(() => folder.remove());

const noon = (minute: number) => `2026-03-01T12:${String(minute).padStart(2, '0')}:00.000Z` as Instant;

/** A service whose log has accounts `a` and `b` with jobs. */
async function filled(jobs = 6): Promise<EvidenceScene> {
  const scene = new EvidenceScene();
  await scene.append({ stream: 'account-a', type: 'AccountOpened', data: { accountId: 'a', name: 'Ä' } });
  for (let n = 0; n < jobs; n++) {
    const at = { metadata: { ...metadata, at: noon(n) } };
    await scene.append({ ...job(n, n % 3 === 2 ? 'b' : 'a'), ...at }, { ...queued(n), ...at });
  }
  await scene.append({ stream: 'apiKey-1', type: 'ApiKeyCreated', data: { accountId: 'a', hash: 'secret' } });
  return scene;
}

const publishedIn = ({ sources: { texts, hashes } }: EvidenceScene, key = EVIDENCE_KEY) =>
  new PublishedLog(texts, hashes, key);

async function exportOf(scene: EvidenceScene, signal?: AbortSignal): Promise<EvidenceExport> {
  const published = (await publishedIn(scene).newest())!;
  return new EvidenceExport(published, scene.sources.texts, scene.sources.hashes, signal);
}

async function textOf(pieces: AsyncIterable<string> | undefined): Promise<string> {
  let text = '';
  for await (const piece of pieces!) text += piece;
  return text;
}

const accountFile = async (scene: EvidenceScene, part: ExportPart = {}) =>
  textOf(await (await exportOf(scene)).account('a', part));
const streamFile = async (scene: EvidenceScene, name: string, since?: number[]) =>
  textOf(await (await exportOf(scene)).stream(name, since));

async function recordsOf(scene: EvidenceScene, kept: readonly string[] = []): Promise<Records> {
  const { checkpoint } = (await publishedIn(scene).newest())!;
  return { vkey: EVIDENCE_KEY.vkey(checkpoint.origin), kept };
}

const findingsIn = (file: string, records: Records) => findingsOf(folder.write(file), records);

function expectHolds(file: string, records: Records) {
  for (const findings of findingsIn(file, records)) expect(findings).toEqual([]);
}

describe('exporting a proof', () => {
  it('gives the files of the vectors', async () => {
    const scene = new EvidenceScene();
    for (const { body, entry } of vectors.entries) {
      const [, , , , stream] = entry.split(' ') as string[];
      await scene.append({ ...(JSON.parse(body) as { type: string; data: object }), stream: stream! });
    }
    const builder = new LogBuilder(scene.sources);
    while (!(await builder.advance()).isAtEnd);
    const checkpoint = { origin: vectors.origin, size: 7, root: vectors.roots[6]! };
    const published = { checkpoint, key: EVIDENCE_KEY };
    const source = new EvidenceExport(published, scene.sources.texts, scene.hashes);
    const { account, job, period, system } = vectors.files;
    const [AA, JOB] = ['00000000-0000-7000-8000-0000000000aa', 'job-00000000-0000-7000-8000-0000000000cc'];
    expect(await textOf(await source.account(AA, { since: [4] }))).toBe(account);
    // Its events are recorded within a second of each other, but clocks may differ by ten: so `from` is after `to`.
    const [from, to] = ['2026-01-01T00:00:13.500Z', '2025-12-31T23:59:53.500Z'] as Instant[];
    expect(await textOf(await source.account(AA, { from: from!, to: to! }))).toBe(period);
    expect(await textOf(await source.stream(JOB, [4]))).toBe(job);
    expect(await textOf(await source.account('system', {}))).toBe(system);
  });

  it('holds for the account, the installation, a period and a job, from kept notes on', async () => {
    const scene = await filled();
    const log = scene.log();
    await log.publish();
    const { checkpoint } = (await publishedIn(scene).newest())!;
    const { size } = checkpoint;
    const kept = [signCheckpoint(EVIDENCE_KEY, checkpoint), (await (await exportOf(scene)).head('a'))!];
    await scene.append({ stream: 'partner-1', type: 'PartnerCreated', data: {} }, job(50), queued(0));
    await log.publish();
    const records = await recordsOf(
      scene,
      kept.map((note) => folder.write(note)),
    );
    const account = await accountFile(scene, { since: [size] });
    expectHolds(account, records);
    expect(account).toMatch(/^rps-evidence\/1 account a 0 11 12\n/);
    expectHolds(await streamFile(scene, 'job-0', [size]), records);
    const source = await exportOf(scene);
    expectHolds(await textOf(await source.account('system', { since: [size] })), records);
    const period = await accountFile(scene, { from: noon(1), to: noon(3), since: [size] });
    expectHolds(period, records);
    // Jobs 1 and 3, and one event before and after; job 2 is of the other account.
    expect(period).toMatch(/^rps-evidence\/1 account a 2 7 12\n/);
  });

  it('covers pages of entries and tiles', async () => {
    const scene = await filled(200);
    await scene.log().publish();
    const records = await recordsOf(scene);
    expectHolds(await accountFile(scene), records);
    expectHolds(await streamFile(scene, 'job-199'), records);
  });

  it('shows no body that holds a secret', async () => {
    const scene = await filled();
    await scene.log().publish();
    const file = await streamFile(scene, 'apiKey-1');
    expect(file).not.toContain('secret');
    expect(byNode(folder.write(file), await recordsOf(scene)).withheld).toEqual([
      'line 2, stream apiKey-1 revision 0',
    ]);
  });

  it('shows nothing that no checkpoint covers', async () => {
    const scene = await filled();
    await scene.log().publish();
    await scene.append(job(77, 'c'), queued(1));
    const source = await exportOf(scene);
    expect(await source.head('c')).toBeUndefined();
    expect(await source.account('c', {})).toBeUndefined();
    expect(await source.stream('job-77')).toBeUndefined();
    expect(await source.stream('job-78')).toBeUndefined();
    expect(await streamFile(scene, 'job-1')).toMatch(/^rps-evidence\/1 stream job-1 0 1 2\n/);
  });
});

describe('exporting after a change in the store', () => {
  const JOB = "(SELECT id FROM streams WHERE name = 'job-3')";
  it.each([
    ['is gone', `DELETE FROM events WHERE stream = ${JOB} AND revision = 0`],
    ['has another revision', `UPDATE events SET revision = 7 WHERE stream = ${JOB} AND revision = 1`],
  ])('is refused when an event %s', async (_, sql) => {
    const scene = await filled();
    await scene.log().publish();
    const records = await recordsOf(scene);
    scene.tamper(sql);
    for (const findings of findingsIn(await accountFile(scene), records)) expect(findings).not.toEqual([]);
  });

  it('never signs a head that contradicts the log', async () => {
    const scene = await filled();
    await scene.log().publish();
    const head = await (await exportOf(scene)).head('a');
    const lastOf = (note: string | undefined) => note?.slice(note.lastIndexOf('rps-head1 ')).split('\n')[2];
    const key = "WHERE stream = (SELECT id FROM streams WHERE name = 'apiKey-1')";
    scene.tamper(`UPDATE events SET type = 'ApiKeyCreateD' ${key}`);
    expect(lastOf(await accountFile(scene))).toBe(lastOf(head));
    scene.tamper(`DELETE FROM events ${key}`);
    expect(await accountFile(scene)).not.toContain('rps-head1 ');
  });

  it('fails for an account without events, to which a forger gave an entry of another one', async () => {
    const scene = await filled();
    await scene.log().publish();
    const forged = new Map([['a/c/0', numberBytes(1)]]);
    await scene.hashes.put(forged, (await scene.hashes.progress())!);
    const file = await textOf(await (await exportOf(scene)).account('c', {}));
    for (const findings of findingsIn(file, await recordsOf(scene)))
      expect(findings.join('\n')).toContain('its proof does not lead to the root');
  });

  it('is refused, and names the event, when one cannot be read', async () => {
    const scene = await filled(300);
    await scene.log().publish();
    scene.damage(`UPDATE events SET data = replace(data, '"jobId"', '"jobid"') WHERE stream = ${JOB}`);
    const named = { stream: 'job-3', revision: 0 };
    await expect((await exportOf(scene)).account('a', {}, () => true)).rejects.toMatchObject(named);
    await expect((await exportOf(scene)).stream('job-3')).rejects.toMatchObject(named);
  });

  it('is refused for a stream whose first event is no JSON, so that it names no account', async () => {
    const scene = await filled();
    await scene.log().publish();
    scene.tamper(`UPDATE events SET data = substr(data, 2) WHERE stream = ${JOB} AND revision = 0`);
    const named = { stream: 'job-3', revision: 0 };
    await expect((await exportOf(scene)).stream('job-3')).rejects.toMatchObject(named);
  });

  it('is not refused for a damaged event of another account after one that is gone', async () => {
    const scene = await filled();
    await scene.log().publish();
    const of = (n: number) => `WHERE stream = (SELECT id FROM streams WHERE name = 'job-${n}')`;
    scene.damage(
      `DELETE FROM events ${of(1)} AND revision = 1; UPDATE events SET data = replace(data, '2', '3') ${of(2)}`,
    );
    await expect((await exportOf(scene)).account('b', {}, () => true)).rejects.toThrow('job-2');
    expect(await accountFile(scene)).toContain(' job-1 0 ');
  });

  it('gives a period beside a damaged event', async () => {
    const scene = await filled(20);
    await scene.log().publish();
    const records = await recordsOf(scene);
    const asked = { from: noon(3), to: noon(4) };
    const period = await accountFile(scene, asked);
    // The first that is looked at on the way to the period.
    scene.damage(
      "UPDATE events SET data = replace(data, '\"jobId\"', '\"jobid\"') WHERE stream = (SELECT id FROM streams WHERE name = 'job-10')",
    );
    await expect((await exportOf(scene)).account('a', {}, () => true)).rejects.toThrow('job-10');
    expect(await accountFile(scene, asked)).toBe(period);
    const later = { from: noon(15), to: noon(16) };
    expectHolds(await accountFile(scene, later), records);
    expect(await accountFile(scene, later)).not.toContain(' job-10 ');
  });

  it('breaks off when one beyond what was read ahead cannot be read', async () => {
    const scene = await filled(300);
    await scene.log().publish();
    scene.damage(
      "UPDATE events SET data = replace(data, '\"jobId\"', '\"jobid\"') WHERE stream = (SELECT id FROM streams WHERE name = 'job-298')",
    );
    let pages = 0;
    const text = await (await exportOf(scene)).account('a', {}, () => pages++ < 1);
    await expect(textOf(text)).rejects.toMatchObject({ stream: 'job-298', revision: 0 });
  });

  it('ends at the next page after its client has hung up', async () => {
    const scene = await filled(300);
    await scene.log().publish();
    const ending = new AbortController();
    const source = await exportOf(scene, ending.signal);
    let pages = 0;
    const mayReadAhead = () => {
      if (pages++ === 1) ending.abort(new Error('hung up'));
      return true;
    };
    await expect(source.account('a', {}, mayReadAhead)).rejects.toThrow('hung up');
    expect(pages).toBe(2);
    await expect(source.stream('job-1')).rejects.toThrow('hung up');
  });
});

describe('the newest published state', () => {
  it('is absent before the first checkpoint', async () => {
    const scene = await filled();
    expect(await publishedIn(scene).newest()).toBeUndefined();
  });

  it('is not available while the log is built again', async () => {
    const scene = await filled();
    await scene.log().publish();
    await scene.hashes.clear();
    await expect(publishedIn(scene).newest()).rejects.toThrow('is being built again');
  });

  it('is not available under another key, or once the log has halted', async () => {
    const scene = await filled();
    const log = scene.log();
    await log.publish();
    const other = publishedIn(scene, new NoteKey(Buffer.alloc(32, 7)));
    await expect(other.newest()).rejects.toThrow('has stopped');
    scene.tamper(`UPDATE events SET type = 'JobQueueD' WHERE type = 'JobQueued'`);
    await scene.hashes.clear();
    expect((await scene.log().publish()).halt).toBeDefined();
    await expect(publishedIn(scene).newest()).rejects.toThrow('has stopped');
  });
});

describe('serving tiles', () => {
  it('gives the tiles that a checkpoint covers, as C2SP tlog-tiles names them', async () => {
    const scene = await filled(300);
    await scene.log().publish();
    const { checkpoint } = (await publishedIn(scene).newest())!;
    const { size } = checkpoint;
    const tile = (level: number, path: string) => publishedTile(scene.hashes, level, path, size);
    const rest = size % 256;
    expect((await tile(0, '000'))!.length).toBe(256 * 32);
    expect((await tile(0, `002.p/${rest}`))!.length).toBe(rest * 32);
    expect((await tile(1, '000.p/2'))!.length).toBe(2 * 32);
    for (const path of ['003', '002', `002.p/${rest + 1}`, 'x000/000', '000.p/256'])
      expect([path, await tile(0, path)]).toEqual([path, undefined]);
    const named = (n: number, width: number) =>
      `${String(n).padStart(3, '0')}${width < 256 ? `.p/${width}` : ''}`;
    const reader = {
      tile: async (level: number, n: number, width: number) => (await tile(level, named(n, width)))!,
    };
    expect((await rootOf(reader, size)).toString('base64')).toBe(checkpoint.root);
  });
});
