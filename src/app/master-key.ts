import { join } from 'node:path';
import { ConfigError, type Config } from '../config.js';
import { bytes32 } from '../config.readers.js';
import { MasterKey } from '../kernel/sealing.js';
import type { Randomness } from '../kernel/ids.js';
import { readSecretFile, writeSecretFile } from '../event-sourcing/index.js';

/** Lock the folder before: concurrent first starts would create two keys. @throws ConfigError */
export function masterKeyFor(
  { masterKey, dataDir }: Pick<Config, 'masterKey' | 'dataDir'>,
  randomness: Randomness,
): MasterKey {
  if (masterKey) return new MasterKey(masterKey);
  const path = join(dataDir, 'master.key');
  const written = readSecretFile(path);
  if (written !== undefined) return new MasterKey(secretOf(written));
  const secret = Buffer.from(randomness.bytes(32));
  writeSecretFile(path, secret.toString('base64'));
  return new MasterKey(secret);
}

function secretOf(text: string): Buffer {
  try {
    return bytes32(text);
  } catch (error) {
    throw new ConfigError([`DATA_DIR/master.key ${(error as Error).message}`]);
  }
}
