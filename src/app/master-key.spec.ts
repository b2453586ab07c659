import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SystemRandomness } from './system/system-randomness.js';
import { ConfigError } from '../config.js';
import { masterKeyFor } from './master-key.js';

describe('loading the master key', () => {
  const randomness = new SystemRandomness();
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'rps-key-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  const derived = (masterKey?: Buffer) => masterKeyFor({ dataDir, masterKey }, randomness).derive('test');

  it('creates one at the first start, readable only by its owner, and keeps it', () => {
    const first = derived();
    const file = join(dataDir, 'master.key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(Buffer.from(readFileSync(file, 'utf8'), 'base64')).toHaveLength(32);
    expect(derived()).toEqual(first);
  });

  it('prefers the configured one and writes nothing', () => {
    const configured = Buffer.from(randomness.bytes(32));
    expect(derived(configured)).toEqual(derived(configured));
    expect(() => statSync(join(dataDir, 'master.key'))).toThrow();
  });

  it('rejects a damaged file, because a new key could not open existing secrets', () => {
    writeFileSync(join(dataDir, 'master.key'), 'not a key');
    expect(() => derived()).toThrow(ConfigError);
  });
});
