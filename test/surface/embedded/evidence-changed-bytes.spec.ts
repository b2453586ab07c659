import Database from 'better-sqlite3';
import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStores } from '../../../src/event-sourcing/embedded/embedded-stores.js';
import { forgePack, packJobs, repairChecksums } from '../../kit/forgery.js';
import { JobScene } from '../../kit/job-scene.js';
import { ManualClock } from '../../kit/manual-clock.js';
import { taken } from '../../kit/proofs.js';
import { startTestService, type TestService } from '../../kit/service.js';
import { inProcess } from '../../kit/stores.js';
import { FileFolder } from '../../kit/verifiers.js';
import { verdict } from '../asking.js';
import { KnownHistory, proofOf, type NamedEvent } from '../changed-events.js';
import { projectionsUrl } from '../export-import.js';

const folder = new FileFolder();
afterAll(() => folder.remove());

/** One byte of each text of a row; JSON stays JSON. */
const FIELDS = {
  id: ({ id }: { id: string }) => ({ id: id.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')) }),
  type: () => ({ type: 'JobCreateD' }),
  data: ({ data }: { data: string }) => ({ data: data.replace('"jobId"', '"jobid"') }),
  metadata: ({ metadata }: { metadata: string }) => ({ metadata: metadata.replace('"at":"2', '"at":"3') }),
};

describe('one byte that changes in the data folder of a stopped service', () => {
  const env = { SVC_MASTER_KEY: randomBytes(32).toString('base64') };
  const clock = new ManualClock();
  let whole: string;
  let copy: string;
  let known: KnownHistory;
  let service: TestService | undefined;

  const start = (dataDir: string) =>
    startTestService({
      ...{ clock, env },
      stores: (_, time) => openEmbeddedStores({ dataDir, clock: time, threads: inProcess, projectionsUrl }),
    });
  beforeAll(async () => {
    whole = await mkdtemp(join(tmpdir(), 'rps-whole-'));
    const first = await start(whole);
    known = await KnownHistory.of(await JobScene.open(first), 6, folder);
    await first.close();
  });
  beforeEach(async () => {
    copy = await mkdtemp(join(tmpdir(), 'rps-changed-'));
    await cp(whole, copy, { recursive: true });
  });
  afterEach(async () => {
    await service?.close();
    service = undefined;
    await rm(copy, { recursive: true });
  });
  afterAll(() => rm(whole, { recursive: true }));

  /** Changes the events and starts the service again. */
  async function changing(change: (db: Database.Database) => void, file = 'rps.db'): Promise<TestService> {
    const db = new Database(join(copy, file));
    change(db);
    db.close();
    service = await start(copy);
    return service;
  }
  const of = (stream: string, revision: number) =>
    `WHERE revision = ${revision} AND stream = (SELECT id FROM streams WHERE name = '${stream}')`;

  it('is named in each text of a row, with a repaired checksum', async () => {
    const changed = Object.keys(FIELDS).map((_, n) => ({ stream: known.printed[n]!, revision: 0 }));
    const on = await changing((db) => {
      for (const [n, change] of Object.values(FIELDS).entries()) {
        const row = db.prepare(`SELECT * FROM events ${of(known.printed[n]!, 0)}`).get();
        const [[column, value]] = Object.entries(change(row as never)) as [[string, string]];
        db.prepare(`UPDATE events SET ${column} = ? ${of(known.printed[n]!, 0)}`).run(value);
      }
      repairChecksums(db);
    });
    await known.expectNamed(on, ...changed);
    for (const event of changed) await known.expectFails(on, proofOf(event.stream), event);
  });

  it('is named in each text of a packed row, with a repaired checksum', async () => {
    const changed = Object.keys(FIELDS).map((_, n) => ({ stream: known.printed[n]!, revision: 0 }));
    const on = await changing((db) => {
      packJobs(db);
      for (const [n, change] of Object.values(FIELDS).entries()) forgePack(db, known.printed[n]!, change);
    });
    await known.expectNamed(on, ...changed);
    for (const event of changed) await known.expectFails(on, proofOf(event.stream), event);
  });

  it('is named in the number of a row, and in that of its stream, with a repaired checksum', async () => {
    const [one, other] = known.printed as [string, string];
    const on = await changing((db) => {
      db.exec(`UPDATE events SET revision = revision + 64 ${of(one, 6)}`);
      const { waiting } = known;
      db.exec(
        `UPDATE events SET stream = (SELECT id FROM streams WHERE name = '${waiting}') ${of(other, 2)}`,
      );
      repairChecksums(db);
    });
    const moved = { stream: known.waiting, revision: 2 };
    await known.expectNamed(on, { stream: one, revision: 70 }, moved);
    await known.expectFails(on, proofOf(moved.stream), moved);
    await expectRefused(on, proofOf(one), { stream: one, revision: 6 });
    await expectRefused(on, proofOf(other), { stream: other, revision: 2 });
  });

  it('is named in the name of a stream, with repaired checksums', async () => {
    const [one] = known.printed as [string];
    const stream = one.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
    const on = await changing((db) => {
      db.prepare('UPDATE streams SET name = ? WHERE name = ?').run(stream, one);
      repairChecksums(db);
    });
    await known.expectNamed(on, ...[0, 1, 2, 3, 4, 5, 6].map((revision) => ({ stream, revision })));
  });

  it('is named as a missing event in the position of a row, and by the event after it in proofs', async () => {
    const [one] = known.printed as [string];
    const on = await changing((db) => {
      db.exec(`UPDATE events SET position = position + 65536 ${of(one, 2)}`);
      repairChecksums(db);
    });
    const { items, total } = await on.operate('POST', '/evidence/audit');
    expect([items, total]).toEqual([
      [{ kind: 'missing', leaf: expect.any(Number), after: expect.any(String) }],
      1,
    ]);
    for (const path of ['/account', proofOf(one)])
      await known.expectFails(on, path, { stream: one, revision: 3 });
  });

  it('is named, and refuses a proof, in the checksum of a row', async () => {
    const event = { stream: known.printed[0]!, revision: 2 };
    const on = await changing((db) => {
      db.exec(`UPDATE events SET checksum = checksum + 1 ${of(event.stream, event.revision)}`);
    });
    await known.expectAudited(on, event);
    for (const path of ['/account', proofOf(event.stream)]) await expectRefused(on, path, event);
  });

  it.each(['t/0/0', 'p/0', 'a/ACCOUNT/0', 'h/ACCOUNT', 'progress'])(
    'is never signed from the hash store, which is built again: %s',
    async (named) => {
      const key = named.replace('ACCOUNT', known.scene.accountId);
      const on = await changing((db) => {
        const bytes = db.prepare('SELECT bytes FROM blobs WHERE key = ?').pluck().get(key) as Buffer;
        bytes[bytes.length - 1]! ^= 1;
        db.prepare('UPDATE blobs SET bytes = ? WHERE key = ?').run(bytes, key);
      }, 'evidence.db');
      const account = await on.call('GET', '/evidence/account', { as: known.scene.key });
      expect(verdict(account)).toBe('503 SVC_UNAVAILABLE');
      await known.expectWhole(on);
    },
  );

  it('is named from a forged hash store, whose checksums fit', async () => {
    const event = { stream: known.printed[2]!, revision: 3 };
    const file = await taken(await changing(() => {}), known.scene.key, proofOf(event.stream));
    const leaf = Number(file.match(/^proof \d+/gm)![event.revision]!.slice('proof '.length));
    const { hashes } = service!.stores;
    const tile = Buffer.from((await hashes.get('t/0/0'))!);
    tile[32 * leaf]! ^= 1;
    await hashes.put(new Map([['t/0/0', tile]]), (await hashes.progress())!);
    const { items } = await service!.operate('POST', '/evidence/audit');
    expect(items).toContainEqual({ kind: 'changed', leaf, ...event });
    for (const path of ['/account', proofOf(event.stream)]) await known.expectFails(service!, path, event);
  });

  async function expectRefused(on: TestService, path: string, { stream, revision }: NamedEvent) {
    const answered = await on.call('GET', `/evidence${path}`, { as: known.scene.key });
    expect(verdict(answered)).toBe('409 EVENT_DAMAGED');
    expect(answered.text).toContain(`Event ${revision} of the stream ${stream} is damaged.`);
  }
});
