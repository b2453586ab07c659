import { createHash } from 'node:crypto';
import { chmod, cp, mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockDataDir } from '../../src/event-sourcing/embedded/data-dir-lock.js';
import { openForWriting } from '../../src/event-sourcing/embedded/connection.js';
import { evidenceKeyOf } from '../../src/app/evidence.js';
import { MasterKey } from '../../src/kernel/sealing.js';
import { SystemRandomness } from '../../src/app/system/system-randomness.js';
import { SecretBox } from '../../src/contexts/webhooks/index.js';
import { asOlderRelease, insertEvent } from '../kit/stored-rows.js';
import { diagnosis } from './diagnosis.js';

const keyOf = (text: string) => createHash('sha256').update(text).digest('base64');

describe('checking the embedded stores', () => {
  let root: string;
  let folder: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'rps-doctor-'));
    folder = join(root, 'data');
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  /** State after a first start. */
  const used = async () => {
    await mkdir(folder, { mode: 0o700 });
    const db = openForWriting(folder);
    insertEvent(db, { stream: 'job-1' });
    db.close();
    await writeFile(join(folder, 'master.key'), `${keyOf('one')}\n`, {
      mode: 0o600,
    });
    await writeFile(join(folder, 'operator-token'), 'svc_operator_x\n', { mode: 0o600 });
  };
  const check = (env: Record<string, string> = {}) => diagnosis({ DATA_DIR: folder, ...env });

  it('finds nothing wrong before the first start, and creates nothing', async () => {
    const { code, of } = await check();
    expect(code).toBe(0);
    expect(of('configuration')).toEqual(['ok', 'embedded stores, ROLE=all']);
    expect(of('data folder')).toEqual(['ok', expect.stringMatching(/is made at the first start/)]);
    expect(await readdir(root)).toEqual([]);
  });

  it('reads the database and leaves the folder unchanged', async () => {
    await used();
    const { code, of } = await check();
    expect(code).toBe(0);
    expect(of('database')).toEqual(['ok', expect.stringMatching(/^whole, 1 events, SQLite 3\./)]);
    expect(of('data folder: in use')).toEqual(['ok', 'no']);
    expect(of('data folder: write and read back')[1]).toMatch(/a commit takes/);
    expect(of('master key')[0]).toBe('ok');
    const files = ['master.key', 'operator-token', 'rps.db'];
    expect((await readdir(folder)).filter((name) => !/-(wal|shm)$/.test(name)).sort()).toEqual(files);
  });

  it('reports a running service', async () => {
    await used();
    const unlock = lockDataDir(folder);
    expect((await check()).of('data folder: in use')[0]).toBe('warn');
    unlock();
  });

  it('reports a damaged database', async () => {
    await used();
    const file = await open(join(folder, 'rps.db'), 'r+');
    await file.write(Buffer.alloc(4_096, 0x5a), 0, 4_096, 4_096);
    await file.close();
    const { code, of } = await check();
    expect([code, of('database')[0]]).toEqual([1, 'fail']);
  });

  it('reports a damaged log of a killed service, and leaves it as it is', async () => {
    const running = join(root, 'running');
    await mkdir(running);
    const db = openForWriting(running);
    for (const n of [1, 2, 3]) insertEvent(db, { stream: `job-${n}` });
    await cp(running, folder, { recursive: true });
    db.close();
    const log = await readFile(join(folder, 'rps.db-wal'));
    const line = 'database: write-ahead log';
    expect((await check()).of(line)).toEqual(['ok', 'sound']);

    log[log.length - 3 * (4_096 + 24)]! ^= 1;
    await cp(running, folder, { recursive: true });
    await writeFile(join(folder, 'rps.db-wal'), log);
    const { code, of } = await check();
    expect([code, of(line)]).toEqual([
      1,
      [
        'fail',
        expect.stringMatching(/rps\.db-wal is damaged before its last \d commit\(s\): restore a backup$/),
      ],
    ]);
    expect(await readFile(join(folder, 'rps.db-wal'))).toEqual(log);
  });

  it('counts events without a checksum, and reads folders of older releases', async () => {
    await used();
    const line = 'database: checksums of events';
    const unchecked = ['ok', '1 events read, 1 of an older release without a checksum'];
    expect((await check()).of(line)).toEqual(unchecked);
    asOlderRelease(join(folder, 'rps.db'), { checksums: false });
    expect((await check()).of(line)).toEqual(unchecked);
  });

  it('names an event with a wrong checksum', async () => {
    await used();
    const db = openForWriting(folder);
    db.exec('UPDATE events SET checksum = 1');
    db.close();
    const { code, of } = await check();
    const [verdict, found] = of('database: checksums of events');
    expect([code, verdict]).toEqual([1, 'fail']);
    expect(found).toMatch(/1 damaged: event 0 of stream job-1 at 0{19}1 cannot be read/);
  });

  it('names documents with a wrong hash, in rows and in files', async () => {
    await used();
    const [row, file, whole] = ['job-row', 'job-file', 'job-whole'];
    const data = { contentHash: createHash('sha256').update('whole').digest('hex') };
    const db = openForWriting(folder);
    for (const id of [row, file, whole]) insertEvent(db, { stream: `job-${id}`, type: 'JobCreated', data });
    const content = db.prepare('INSERT INTO contents VALUES (?, ?)');
    content.run(row, Buffer.from('whale'));
    content.run(whole, Buffer.from('whole'));
    content.run('of no job', Buffer.from('?'));
    db.close();
    await mkdir(join(folder, 'content', 'le'), { recursive: true });
    await writeFile(join(folder, 'content', 'le', file), 'whale');
    await mkdir(join(folder, 'content', 'unfinished'));
    await writeFile(join(folder, 'content', 'unfinished', 'job-x'), 'half');

    const { code, of } = await check();
    expect([code, of('documents: hashes')]).toEqual([
      1,
      ['fail', '3 documents read, 2 damaged: job job-row, job job-file: these jobs cannot print'],
    ]);
  });

  it('reports readable secrets without showing them', async () => {
    await used();
    await chmod(join(folder, 'master.key'), 0o644);
    const { code, of, text } = await check();
    expect([code, of('master key')[0]]).toEqual([1, 'fail']);
    expect(text).not.toContain(keyOf('one'));
  });

  it('does not take a key that cannot be read for a wrong one', async () => {
    await used();
    await rm(join(folder, 'master.key'));
    await mkdir(join(folder, 'master.key'));
    expect((await check()).of('master key')).toEqual(['fail', expect.stringContaining('EISDIR')]);
  });

  it('reports a configured key that differs from the one in the folder', async () => {
    await used();
    const same = keyOf('one');
    expect((await check({ SVC_MASTER_KEY: same })).of('master key')[0]).toBe('ok');
    const other = keyOf('another');
    expect((await check({ SVC_MASTER_KEY: other })).of('master key')[0]).toBe('warn');
  });

  it('compares the key with the one that sealed webhook secrets', async () => {
    await used();
    const line = 'master key: webhook secrets';
    expect((await check()).of(line)).toEqual(['ok', 'none yet']);
    const box = new SecretBox(new MasterKey(Buffer.from(keyOf('one'), 'base64')), new SystemRandomness());
    const data = { secret: box.seal('whsec_live_x', 'account', 'webhook') };
    const db = openForWriting(folder);
    insertEvent(db, { stream: 'webhooks-1', type: 'WebhookCreated', data });
    db.close();
    expect((await check()).of(line)).toEqual(['ok', 'sealed with this key']);
    await rm(join(folder, 'master.key'));
    expect((await check({ SVC_MASTER_KEY: keyOf('one') })).of(line)[0]).toBe('ok');
    const another = await check({ SVC_MASTER_KEY: keyOf('another') });
    expect([another.code, another.of(line)]).toEqual([
      1,
      ['fail', expect.stringMatching(/sealed with another key/)],
    ]);
    expect((await check()).of(line)).toEqual(['fail', expect.stringMatching(/is missing/)]);
  });

  it('compares the key with the one that began the evidence log', async () => {
    await used();
    expect((await check()).of('evidence key')).toEqual(['ok', 'none was used before']);
    const origin = 'print.example/evidence/0000000000dd';
    const masterKey = new MasterKey(Buffer.from(keyOf('one'), 'base64'));
    const vkey = evidenceKeyOf({ evidenceKey: undefined }, masterKey).vkey(origin);
    const db = openForWriting(folder);
    insertEvent(db, { stream: 'evidence-1', type: 'EvidenceLogStarted', data: { origin, vkey } });
    db.close();
    expect((await check()).of('evidence key')).toEqual(['ok', `the one of ${origin}`]);
    const another = await check({ EVIDENCE_KEY: keyOf('another') });
    expect([another.code, another.of('evidence key')[0]]).toEqual([0, 'warn']);
  });

  it('names every wrong variable', async () => {
    const { code, text } = await check({ PORT: 'x', EVENTSTORE_URL: 'esdb://127.0.0.1:2113?tls=false' });
    expect(code).toBe(1);
    expect(text).toMatch(/^fail {2}configuration +PORT /m);
    expect(text).toMatch(/^fail {2}configuration +EVENTSTORE_URL and MONGODB_URL must be set together/m);
  });
});
