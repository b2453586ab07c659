import { EvidenceScene, job, queued } from '../../test/kit/evidence-scene.js';
import { soon } from '../../test/kit/polling.js';
import { plus } from '../kernel/time.js';
import { metadata, NOON } from '../../test/kit/recorded.js';
import type { EvidenceEvent } from './evidence.events.js';
import { EVIDENCE_STREAM } from './evidence.events.js';
import { NoteKey } from './signed-note.js';

const OTHER_KEY = new NoteKey(Buffer.alloc(32, 9));
const published = async ({ store }: EvidenceScene) =>
  (await store.load(EVIDENCE_STREAM)) as unknown as EvidenceEvent[];
const originOf = ({ data }: EvidenceEvent) => data.origin;

/** A log with a published checkpoint of two leaves, and an event behind it. */
async function begun() {
  const scene = new EvidenceScene();
  await scene.append(job(1), queued(1));
  const log = scene.log();
  await log.publish();
  await scene.append(job(2));
  return { scene, log };
}

describe('publishing checkpoints', () => {
  it('begins a log and publishes its root', async () => {
    const { scene, log } = await begun();
    const { size, log: state } = await log.publish();
    const [started, first, second] = await published(scene);
    expect(size).toBe(3);
    expect(started).toMatchObject({
      type: 'EvidenceLogStarted',
      data: { origin: expect.stringMatching(/^rps\.example\/evidence\/[0-9a-f]{12}$/) },
    });
    expect(first).toMatchObject({
      type: 'CheckpointPublished',
      data: { origin: originOf(started!), size: 2 },
    });
    expect(second).toMatchObject({ data: { size: 3 } });
    expect(state?.checkpoint).toEqual({ ...second!.data, at: NOON });
  });

  it('publishes nothing without a new leaf, and nothing of an empty log', async () => {
    const { scene, log } = await begun();
    await log.publish();
    await log.publish();
    expect(await published(scene)).toHaveLength(3);
    const empty = new EvidenceScene();
    expect(await empty.log().publish()).toMatchObject({ size: 0 });
    expect(await published(empty)).toEqual([]);
  });

  it('publishes when the interval has passed, and at a stop', async () => {
    const scene = new EvidenceScene();
    const log = scene.log();
    log.start();
    const sizes = async () =>
      (await published(scene)).slice(1).map(({ data }) => (data as { size: number }).size);
    const arePublished = (count: number, ms: number) =>
      soon(async () => {
        scene.clock.advance(ms);
        return (await sizes()).length === count;
      });
    await scene.append(job(1));
    await arePublished(1, 1_000);
    await scene.append(queued(1));
    await arePublished(2, 100_000);
    await scene.append(job(2));
    await log.stop();
    expect(await sizes()).toEqual([1, 2, 3]);
    expect(scene.errors).toEqual([]);
  });

  it('leaves publishing to another instance that was first', async () => {
    const { scene, log } = await begun();
    await Promise.all([log.publish(), scene.log().publish()]);
    const events = await published(scene);
    expect(events.map(({ type }) => type)).toEqual([
      'EvidenceLogStarted',
      'CheckpointPublished',
      'CheckpointPublished',
    ]);
    expect((await log.publish()).halt).toBeUndefined();
  });

  it('gives the same checkpoints after the hash store is lost', async () => {
    const { scene, log } = await begun();
    const { log: before, size } = await log.publish();
    await scene.hashes.clear();
    expect(await scene.log().publish()).toMatchObject({ size, log: before });
    expect(await published(scene)).toHaveLength(3);
  });
});

describe('events that were moved to another store', () => {
  it('are read anew at their new positions', async () => {
    const { scene, log } = await begun();
    const { log: before } = await log.publish();
    scene.tamper('UPDATE events SET position = position + 100; UPDATE events SET position = position - 93');
    const after = await scene.log().publish();
    expect(after).toMatchObject({ size: 3, log: { origin: before!.origin, checkpoint: before!.checkpoint } });
    expect(await published(scene)).toHaveLength(3);
    expect(scene.halts).toEqual([]);
  });
});

describe('beginning another log', () => {
  const isAfter = { ...metadata, at: plus(NOON, 1_000) };

  it.each([
    ['another key', async (scene: EvidenceScene) => scene.log({ key: OTHER_KEY })],
    [
      'a restore',
      async (scene: EvidenceScene) => {
        await scene.append({
          stream: 'restores-00000000-0000-0000-0000-000000000000',
          type: 'StoreRestored',
          data: {},
        });
        return scene.log();
      },
    ],
    [
      'a rollback',
      async (scene: EvidenceScene) => {
        await scene.append({
          stream: 'rollbackAlarm-00000000-0000-0000-0000-000000000000',
          type: 'StoreRollbackDetected',
          data: {},
        });
        return scene.log();
      },
    ],
  ])('follows %s, and names the checkpoint before it', async (_, change) => {
    const { scene } = await begun();
    const after = await change(scene);
    const { log } = await after.publish();
    const [first, second, third, ...rest] = await published(scene);
    expect(third).toMatchObject({ type: 'EvidenceLogStarted', data: { previous: second!.data } });
    expect(rest).toHaveLength(1);
    expect(log!.origin).toBe(originOf(third!));
    expect(originOf(third!)).not.toBe(originOf(first!));
    await after.publish();
    expect(await published(scene)).toHaveLength(4);
  });

  it('is done on request', async () => {
    const { scene, log } = await begun();
    await log.startNewLog();
    expect((await published(scene)).map(({ type }) => type)).toEqual([
      ...['EvidenceLogStarted', 'CheckpointPublished', 'EvidenceLogStarted', 'CheckpointPublished'],
    ]);
    const empty = new EvidenceScene();
    expect(await empty.log().startNewLog()).toMatchObject({ size: 0 });
    expect(await published(empty)).toEqual([]);
  });

  describe('when the store is an earlier copy', () => {
    /** The last event of the log and all after it are gone. */
    const behind = async () => {
      const { scene, log } = await begun();
      const { log: lost } = await log.publish();
      scene.tamper('DELETE FROM events WHERE position >= (SELECT max(position) FROM events)');
      return { scene, log, lost: lost!.checkpoint! };
    };

    it('halts and signs nothing, until the store is repaired', async () => {
      const { scene, log } = await behind();
      expect(await log.publish()).toMatchObject({ halt: { reason: 'store_behind' } });
      expect(await published(scene)).toHaveLength(2);
    });

    it.each([
      [
        'the alarm of the rollback',
        async (scene: EvidenceScene) => {
          await scene.append({
            stream: 'rollbackAlarm-00000000-0000-0000-0000-000000000000',
            type: 'StoreRollbackDetected',
            data: {},
            metadata: isAfter,
          });
          return scene.log().publish();
        },
      ],
      ['the request of an operator', (scene: EvidenceScene) => scene.log().startNewLog()],
    ])('follows %s', async (_, after) => {
      const { scene, log, lost } = await behind();
      await log.publish();
      const { halt, log: state } = await after(scene);
      const { at: __, ...previous } = lost;
      expect(halt).toBeUndefined();
      expect((await published(scene))[2]).toMatchObject({ type: 'EvidenceLogStarted', data: { previous } });
      expect(state!.origin).not.toBe(lost.origin);
      expect(state!.checkpoint).toBeDefined();
    });
  });
});

describe('a tree with another root than was published', () => {
  const changed = `UPDATE events SET data = replace(data, '"a"', '"b"') WHERE position = 1`;
  const repaired = `UPDATE events SET data = replace(data, '"b"', '"a"') WHERE position = 1`;

  /** An event changed while the hash store was lost. */
  const differing = async () => {
    const { scene, log } = await begun();
    await log.publish();
    scene.tamper(changed);
    await scene.hashes.clear();
    const after = scene.log();
    return { scene, log: after, halted: await after.publish() };
  };

  it('halts between two checkpoints and signs nothing', async () => {
    const { scene, halted, log } = await differing();
    const [, first] = await published(scene);
    expect(halted.halt).toEqual({ reason: 'differs', between: [null, { ...first!.data, at: NOON }] });
    await scene.append(queued(2));
    expect((await log.publish()).halt).toBeDefined();
    expect(await published(scene)).toHaveLength(3);
    expect(scene.halts).toEqual([halted.halt]);
  });

  it('continues after the event is repaired', async () => {
    const { scene, log } = await differing();
    scene.tamper(repaired);
    expect((await log.publish()).halt).toBeDefined();
    scene.clock.advance(3_600_000);
    expect(await log.publish()).toMatchObject({ size: 3, log: { checkpoint: { size: 3 } } });
  });

  it('begins before a publication whose type and root changed', async () => {
    const { scene, log } = await begun();
    const { size, log: state } = await log.publish();
    const [root, type] = [state!.checkpoint!.root, 'CheckpointPublisheD'];
    scene.tamper(`UPDATE events SET data = replace(data, '${root}', '${root.replace(/^./, '_')}'), type = '${type}'
      WHERE type = 'CheckpointPublished'`);
    await scene.hashes.clear();
    expect(await log.publish()).toMatchObject({ size, halt: { reason: 'differs' } });
  });

  it('begins before a publication that is no JSON', async () => {
    const { scene, log } = await begun();
    scene.tamper(`UPDATE events SET data = '{' WHERE type = 'CheckpointPublished'`);
    await scene.hashes.clear();
    expect((await log.publish()).halt?.reason).toBe('differs');
  });

  it('ends when an operator begins another log', async () => {
    const { scene, log } = await differing();
    const { halt, log: state, size } = await log.startNewLog();
    expect(halt).toBeUndefined();
    expect(state!.checkpoint).toMatchObject({ size, origin: originOf((await published(scene))[3]!) });
  });
});

describe('an event that cannot be read', () => {
  const at = (stream: string, revision: number, from: string, to: string) =>
    `UPDATE events SET metadata = replace(metadata, '${from}', '${to}')
     WHERE stream = (SELECT id FROM streams WHERE name = '${stream}') AND revision = ${revision}`;

  it('halts the log when it is the first of its stream, not logged yet, and no JSON', async () => {
    const { scene } = await begun();
    await scene.append(job(3), queued(3));
    scene.tamper(`UPDATE events SET data = substr(data, 2) WHERE data LIKE '%"3"%'`);
    const halt = { reason: 'unreadable', event: { stream: 'job-3', revision: 0 } };
    expect(await scene.log().publish()).toMatchObject({ halt, isAtEnd: false });
  });

  it.each([
    ['is the next one', 'job-1', 2],
    ['is the first of its stream', 'job-1', 0],
    ['is the last that was read', EVIDENCE_STREAM, 1],
  ])('halts the log, and is named, when it %s', async (_, stream, revision) => {
    const { scene } = await begun();
    await scene.append(queued(1), job(3));
    scene.damage(at(stream, revision, 'schemaVersion', 'schemaversion'));
    const log = scene.log();
    const halt = { reason: 'unreadable', event: { stream, revision } };
    const progress = await log.publish();
    expect(progress).toMatchObject({ halt, isAtEnd: false });
    expect(await log.startNewLog()).toEqual(progress);
    expect(await log.progress()).toEqual(progress);
    expect(scene.halts).toEqual([halt]);
    scene.damage(at(stream, revision, 'schemaversion', 'schemaVersion'));
    const repaired = scene.log();
    expect(await repaired.publish()).toMatchObject({ isAtEnd: true, log: { checkpoint: { size: 5 } } });
    expect((await log.progress()).halt).toBeUndefined();
    expect((await published(scene)).map(({ type }) => type)).toEqual([
      ...['EvidenceLogStarted', 'CheckpointPublished', 'CheckpointPublished'],
    ]);
  });
});
