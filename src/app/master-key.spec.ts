import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SystemRandomness } from '../adapters/system/system-randomness.js';
import { ConfigError } from '../config.js';
import { masterKeyFor } from './master-key.js';

describe('having a master key', () => {
  const randomness = new SystemRandomness();
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'rps-key-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  const derived = (masterKey?: Buffer) => masterKeyFor({ dataDir, masterKey }, randomness).derive('test');

  it('makes one at the first start, for its owner alone, and keeps it', () => {
    const first = derived();
    const file = join(dataDir, 'master.key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(Buffer.from(readFileSync(file, 'utf8'), 'base64')).toHaveLength(32);
    expect(derived()).toEqual(first);
  });

  it('takes the configured one instead, and writes nothing', () => {
    const configured = Buffer.from(randomness.bytes(32));
    expect(derived(configured)).toEqual(derived(configured));
    expect(() => statSync(join(dataDir, 'master.key'))).toThrow();
  });

  it('is refused when the file is damaged: a new key would make all that it protects unreadable', () => {
    writeFileSync(join(dataDir, 'master.key'), 'not a key');
    expect(() => derived()).toThrow(ConfigError);
  });
});
