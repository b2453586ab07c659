import { EvidenceScene, job, queued } from '../../test/kit/evidence-scene.js';
import { EVIDENCE_STREAM } from './evidence.events.js';
import { countKey, numberBytes } from './stored-log.js';

/** Jobs of two accounts with their events in turn, all covered by a checkpoint. */
async function published() {
  const scene = new EvidenceScene();
  await scene.append(job(1), job(2, 'b'), { stream: 'claim-1', type: 'Claimed', data: {} });
  await scene.append(queued(1), queued(2), job(3), queued(3));
  const log = scene.log();
  await log.publish();
  return { scene, log };
}

describe('auditing', () => {
  it('finds nothing in an unchanged store', async () => {
    const { scene, log } = await published();
    await scene.append(job(4));
    expect(await log.audit()).toEqual({ events: 6, checkpoints: 1, findings: [], total: 0 });
    expect(log.auditFindings).toBe(0);
  });

  it.each([
    ['the data', `UPDATE events SET data = replace(data, '"1"', '"9"') WHERE position = 1`, 'job-1', 0, 0],
    ['the type', `UPDATE events SET type = 'JobQueueD' WHERE position = 4`, 'job-1', 1, 2],
    ['the id', `UPDATE events SET id = replace(id, '7000', '7001') WHERE position = 5`, 'job-2', 1, 3],
    [
      'the metadata',
      `UPDATE events SET metadata = replace(metadata, 'operator', 'operatox') WHERE position = 6`,
      'job-3',
      0,
      4,
    ],
    ['the revision', `UPDATE events SET revision = 7 WHERE position = 5`, 'job-2', 7, 3],
    [
      'the stream',
      `UPDATE events SET stream = (SELECT id FROM streams WHERE name = 'claim-1'), revision = 1 WHERE position = 7`,
      'claim-1',
      1,
      5,
    ],
    [
      'the order',
      `UPDATE events SET position = -position WHERE position IN (4, 5);
      UPDATE events SET position = 9 + position WHERE position < 0`,
      'job-2',
      1,
      2,
    ],
  ])('names the event of which %s changed, and no other', async (what, sql, stream, revision, leaf) => {
    const { scene, log } = await published();
    scene.tamper(sql);
    const { findings, total } = await log.audit();
    expect(findings[0]).toEqual({ kind: 'changed', stream, revision, leaf });
    expect(total).toBe(what === 'the order' ? 2 : 1);
  });

  it.each([
    ['data', `UPDATE events SET data = substr(data, 2) WHERE position = 6`],
    ['metadata', `UPDATE events SET metadata = 'null' WHERE position = 6`],
  ])('names the event whose %s is no object of JSON, and no other of its stream', async (_, sql) => {
    const { scene, log } = await published();
    scene.tamper(sql);
    expect((await log.audit()).findings).toEqual([
      { kind: 'changed', stream: 'job-3', revision: 0, leaf: 4 },
    ]);
  });

  it('names a missing event after one without a time', async () => {
    const { scene, log } = await published();
    scene.tamper(
      `UPDATE events SET metadata = '{' WHERE position = 4; DELETE FROM events WHERE position = 5`,
    );
    expect((await log.audit()).findings).toEqual([
      { kind: 'changed', stream: 'job-1', revision: 1, leaf: 2 },
      { kind: 'missing', leaf: 3 },
    ]);
  });

  it('names a checkpoint that is no JSON', async () => {
    const { scene, log } = await published();
    scene.tamper(`UPDATE events SET data = '{' WHERE type = 'CheckpointPublished'`);
    expect((await log.audit()).findings).toMatchObject([{ kind: 'checkpoint', revision: 1 }]);
  });

  it('names an event that fails its checksum', async () => {
    const { scene, log } = await published();
    scene.damage(`UPDATE events SET data = '{}' WHERE position = 6`);
    expect((await log.audit()).findings).toEqual([
      { kind: 'changed', stream: 'job-3', revision: 0, leaf: 4 },
    ]);
  });

  it('names a missing event by its leaf and time', async () => {
    const { scene, log } = await published();
    scene.tamper('DELETE FROM events WHERE position = 5');
    expect((await log.audit()).findings).toEqual([
      { kind: 'missing', leaf: 3, after: '2026-11-21T12:00:00.000Z' },
    ]);
  });

  it('names an added event', async () => {
    const { scene, log } = await published();
    scene.tamper(
      `UPDATE events SET stream = (SELECT stream FROM events WHERE position = 7), revision = 2 WHERE position = 3`,
    );
    expect((await log.audit()).findings).toEqual([{ kind: 'added', stream: 'job-3', revision: 2 }]);
  });

  it('names the event of a changed hash, its successor, and the checkpoint', async () => {
    const { scene, log } = await published();
    const tile = Buffer.from((await scene.hashes.get('t/0/0'))!);
    tile[32 * 4 + 7]! ^= 1;
    await scene.hashes.put(new Map([['t/0/0', tile]]), (await scene.hashes.progress())!);
    expect((await log.audit()).findings).toMatchObject([
      { kind: 'changed', stream: 'job-3', revision: 0, leaf: 4 },
      { kind: 'changed', stream: 'job-3', revision: 1, leaf: 5 },
      { kind: 'checkpoint', revision: 1 },
    ]);
  });

  it('names the event that the list of its account has at another leaf, and its successor', async () => {
    const { scene, log } = await published();
    const leaves = Buffer.from((await scene.hashes.get('a/a/0'))!);
    leaves[6 * 2 + 5]! ^= 1;
    await scene.hashes.put(new Map([['a/a/0', leaves]]), (await scene.hashes.progress())!);
    expect((await log.audit()).findings).toEqual([
      { kind: 'changed', stream: 'job-3', revision: 0, leaf: 4 },
      { kind: 'changed', stream: 'job-3', revision: 1, leaf: 5 },
    ]);
  });

  it.each([
    ['of another account', 1],
    ['that it has already', 4],
  ])('names the leaf %s behind the end of the list of an account', async (_, leaf) => {
    const { scene, log } = await published();
    const forged = Buffer.concat([(await scene.hashes.get('a/a/0'))!, numberBytes(leaf)]);
    await scene.hashes.put(new Map([['a/a/0', forged]]), (await scene.hashes.progress())!);
    expect(await log.audit()).toMatchObject({ findings: [{ kind: 'added', leaf }], total: 1 });
  });

  it('names the first event of an account whose list had an entry before', async () => {
    const { scene, log } = await published();
    const forged = new Map([
      ['a/c/0', numberBytes(1)],
      [countKey('c'), numberBytes(1)],
    ]);
    await scene.hashes.put(forged, (await scene.hashes.progress())!);
    await scene.append(job(4, 'c'));
    await log.publish();
    const { findings } = await log.audit();
    expect(findings).toEqual([{ kind: 'changed', stream: 'job-4', revision: 0, leaf: 6 }]);
  });

  it.each(['t/0/0', 'p/0'])('has the hashes built again if %s is damaged', async (key) => {
    const scene = new EvidenceScene();
    await scene.append(job(1), ...Array.from({ length: 299 }, () => queued(1)));
    const log = scene.log();
    await log.publish();
    scene.spoil(key);
    await expect(log.audit()).rejects.toThrow(key);
    await log.publish();
    expect(await log.audit()).toMatchObject({ events: 300, findings: [] });
  });

  it('names a changed checkpoint', async () => {
    const { scene, log } = await published();
    scene.tamper(
      `UPDATE events SET data = replace(data, '"size":6', '"size":5') WHERE type = 'CheckpointPublished'`,
    );
    expect((await log.audit()).findings).toMatchObject([{ kind: 'checkpoint', revision: 1 }]);
  });

  it.each([
    ['type', 'changed', 1, `type = 'CheckpointPublisheD' WHERE type = 'CheckpointPublished'`],
    ['origin', 'checkpoint', 1, `data = replace(data, '"rps.', '"rqs.') WHERE type = 'CheckpointPublished'`],
    [
      'first origin',
      'changed',
      0,
      `data = replace(data, '"rps.', '"rqs.') WHERE type = 'EvidenceLogStarted'`,
    ],
    ['key', 'changed', 0, `data = replace(data, '"vkey":"r', '"vkey":"q') WHERE type = 'EvidenceLogStarted'`],
  ])('names the event of the log of which the %s changed', async (what, kind, revision, change) => {
    const { scene, log } = await published();
    scene.tamper(`UPDATE events SET ${change}`);
    const { findings } = await log.audit();
    expect(findings).toContainEqual({ kind, stream: EVIDENCE_STREAM, revision });
    // The publications after a changed beginning are of another origin.
    expect(findings).toHaveLength(what === 'first origin' ? 2 : 1);
  });

  it('hides no finding behind a publication whose type changed', async () => {
    const { scene, log } = await published();
    await scene.append(job(4));
    await log.publish();
    scene.tamper(`UPDATE events SET data = replace(data, '"size":6', '"size":5') WHERE data LIKE '%"size":6%';
      UPDATE events SET type = 'CheckpointPublisheD' WHERE position = (SELECT max(position) FROM events)`);
    expect(await log.audit()).toMatchObject({
      findings: [
        { kind: 'checkpoint', revision: 1 },
        { kind: 'changed', revision: 2 },
      ],
      total: 2,
    });
  });

  it('names a damaged publication, and one that is gone', async () => {
    const { scene, log } = await published();
    await scene.append(job(4));
    await log.publish();
    const stream = EVIDENCE_STREAM;
    const of = (revision: number) =>
      `WHERE revision = ${revision} AND stream = (SELECT id FROM streams WHERE name = '${stream}')`;
    scene.damage(`UPDATE events SET data = '{}' ${of(1)}`);
    expect((await log.audit()).findings).toEqual([{ kind: 'changed', stream, revision: 1 }]);
    scene.damage(`DELETE FROM events ${of(1)}`);
    expect((await log.audit()).findings).toMatchObject([{ kind: 'missing', stream, revision: 1 }]);
    scene.damage(`DELETE FROM events ${of(2)}`);
    expect((await log.audit()).findings).toMatchObject([{ kind: 'missing', stream, revision: 1 }]);
  });

  it('names the checkpoint before which the log halted', async () => {
    const { scene, log } = await published();
    scene.tamper(`UPDATE events SET data = replace(data, '"1"', '"9"') WHERE position = 1`);
    await scene.hashes.clear();
    expect((await log.publish()).halt?.reason).toBe('differs');
    expect(await log.audit()).toMatchObject({ findings: [{ kind: 'checkpoint', revision: 1 }], total: 1 });
  });

  it('names the event before which the log halted', async () => {
    const { scene, log } = await published();
    await scene.append(job(4));
    scene.damage(`UPDATE events SET data = '{}' WHERE position = (SELECT max(position) FROM events)`);
    expect((await log.publish()).halt?.reason).toBe('unreadable');
    expect(await log.audit()).toMatchObject({ findings: [{ kind: 'changed', stream: 'job-4' }], total: 1 });
  });

  it('does not count what differs in a log that another one has succeeded', async () => {
    const { scene, log } = await published();
    scene.tamper(`UPDATE events SET data = replace(data, '"1"', '"9"') WHERE position = 1`);
    await scene.hashes.clear();
    await log.publish();
    await log.startNewLog();
    expect(await log.audit()).toMatchObject({
      findings: [{ kind: 'checkpoint', revision: 1, abandoned: true }],
      checkpoints: 2,
      total: 0,
    });
    expect(log.auditFindings).toBe(0);
  });
});
