import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { insertEvent } from '../../test/kit/stored-rows.js';
import Database from 'better-sqlite3';
import { openForWriting } from '../event-sourcing/embedded/connection.js';
import * as stored from '../event-sourcing/embedded/wing.js';
import { markStore } from '../event-sourcing/embedded/stored-state.js';
import { MasterKey } from '../kernel/sealing.js';
import { SystemRandomness } from './system/system-randomness.js';
import { SecretBox } from '../contexts/webhooks/index.js';
import { keyCheckOf, refuseUsedFolder, UsedFolderError } from './used-folder.js';

const ONE = Buffer.from('one-one-one-one-one-one-one-one-');
const OTHER = Buffer.from('another-another-another-another-');

describe('checking a data folder before the start', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'rps-used-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  const file = (name: string) => join(dataDir, name);
  const writeKey = (key: Buffer) => writeFileSync(file('master.key'), `${key.toString('base64')}\n`);
  const database = (change: (db: Database.Database) => void = () => undefined) => {
    const db = openForWriting(dataDir);
    change(db);
    db.close();
  };
  const addEvent = (db: Database.Database, type = 'OperatorTokenIssued', data: object = {}) =>
    insertEvent(db, { stream: `stream-${type}`, type, data });
  /** Contents as left by real starts and stops. */
  const usedWith = (key: Buffer) =>
    database((db) => {
      addEvent(db);
      markStore(db, keyCheckOf(new MasterKey(key)));
    });
  const judged = (given: { masterKey?: Buffer; newStore?: boolean } = {}) => {
    try {
      refuseUsedFolder({ dataDir, masterKey: undefined, newStore: false, ...given }, stored);
      return 'admitted';
    } catch (error) {
      if (error instanceof UsedFolderError) return error.message;
      throw error;
    }
  };

  it('accepts a new folder, and one left by an interrupted first start', () => {
    expect(judged()).toBe('admitted');
    mkdirSync(file('content/unfinished'), { recursive: true });
    database();
    expect(judged()).toBe('admitted');
    writeKey(ONE);
    expect(judged()).toBe('admitted');
    database((db) => markStore(db, keyCheckOf(new MasterKey(ONE))));
    expect(judged()).toBe('admitted');
    database((db) => addEvent(db));
    expect(judged()).toBe('admitted');
  });

  it.each(['master.key', 'operator-token', 'rps.db-wal', 'content/ab/01a'])(
    'refuses %s without a database, and names the override',
    (name) => {
      mkdirSync(file('content/ab'), { recursive: true });
      writeFileSync(file(name), 'x');
      expect(judged()).toMatch(/ but no database \(rps\.db\): .* restore a backup.*--new or NEW_STORE=true$/);
      expect(judged({ newStore: true })).toBe('admitted');
    },
  );

  it('refuses an empty database file', () => {
    database();
    truncateSync(file('rps.db'));
    expect(judged()).toContain('rps.db is an empty file');
    expect(judged({ newStore: true })).toBe('admitted');
  });

  it('refuses the database of another program', () => {
    new Database(file('rps.db')).exec('CREATE TABLE cats (name TEXT)').close();
    expect(judged()).toContain('is the database of another program');
  });

  it('refuses a database that lost its events', () => {
    database();
    writeFileSync(file('operator-token'), 'x');
    expect(judged()).toContain('holds no events');
  });

  it('refuses the database of a newer release, even with NEW_STORE', () => {
    database((db) => db.pragma('user_version = 99'));
    expect(judged()).toContain('was written by a newer release');
    expect(judged({ newStore: true })).toContain('was written by a newer release');
  });

  it('refuses a different or missing master key', () => {
    usedWith(ONE);
    expect(judged()).toContain('the master key is missing');
    expect(judged({ masterKey: OTHER })).toContain('SVC_MASTER_KEY is not the master key');
    expect(judged({ masterKey: ONE })).toBe('admitted');
    writeKey(OTHER);
    expect(judged()).toContain('master.key is not the master key');
    expect(judged({ newStore: true })).toBe('admitted');
    writeKey(ONE);
    expect(judged()).toBe('admitted');
  });

  it('accepts any key for a store of an older release without sealed secrets', () => {
    database((db) => addEvent(db));
    expect(judged()).toBe('admitted');
    expect(judged({ masterKey: OTHER })).toBe('admitted');
  });

  it('tests the key of an older store against its webhook secrets', () => {
    const secret = new SecretBox(new MasterKey(ONE), new SystemRandomness()).seal('s', 'account', 'webhook');
    database((db) => addEvent(db, 'WebhookCreated', { secret }));
    expect(judged()).toContain('sealed webhook secrets is missing');
    expect(judged({ masterKey: OTHER })).toContain('is not the key that sealed the webhook secrets');
    expect(judged({ masterKey: ONE })).toBe('admitted');
  });
});
