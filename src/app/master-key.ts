import { join } from 'node:path';
import { ConfigError, type Config } from '../config.js';
import { bytes32 } from '../config.readers.js';
import { MasterKey } from '../kernel/sealing.js';
import type { Randomness } from '../kernel/ids.js';
import { readSecretFile, writeSecretFile } from '../event-sourcing/index.js';
import { hkdfSync } from 'node:crypto';

/** Lock the folder before: concurrent first starts would create two keys. @throws ConfigError */
export function masterKeyFor(
  { masterKey, dataDir }: Pick<Config, 'masterKey' | 'dataDir'>,
  randomness: Randomness,
): MasterKey {
  if (masterKey) return new HkdfMasterKey(masterKey);
  const path = join(dataDir, 'master.key');
  const written = readSecretFile(path);
  if (written !== undefined) return new HkdfMasterKey(secretOf(written));
  const secret = Buffer.from(randomness.bytes(32));
  writeSecretFile(path, secret.toString('base64'));
  return new HkdfMasterKey(secret);
}

function secretOf(text: string): Buffer {
  try {
    return bytes32(text);
  } catch (error) {
    throw new ConfigError([`DATA_DIR/master.key ${(error as Error).message}`]);
  }
}

const KEY_BYTES = 32;
const NO_SALT = new Uint8Array(0);

/** HKDF-SHA256 (RFC 5869); the purpose is the info. */
export class HkdfMasterKey extends MasterKey {
  readonly #secret: Uint8Array;

  constructor(secret: Uint8Array) {
    super();
    this.#secret = secret;
  }

  derive(purpose: string): Uint8Array {
    return new Uint8Array(hkdfSync('sha256', this.#secret, NO_SALT, purpose, KEY_BYTES));
  }
}
