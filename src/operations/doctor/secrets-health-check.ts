import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { HkdfMasterKey } from '../../app/system/hkdf-master-key.js';
import { evidenceKeyOf } from '../../app/evidence.js';
import type { Config } from '../../config.js';
import type { EvidenceLogStarted } from '../../evidence/evidence.events.js';
import { bytes32 } from '../../config.readers.js';
import type { SealedSecret } from '../../kernel/sealing.js';
import { isSealedUnder, SEALING_EVENTS } from '../../contexts/webhooks/index.js';
import { type HealthCheck, fail, runCheck, ok, warn, embeddedStores } from '../../event-sourcing/index.js';

const { newestEvent } = await embeddedStores();

/** Prints no secret. */
export async function* secretsHealthCheck(
  config: Pick<Config, 'dataDir' | 'masterKey' | 'evidenceKey' | 'eventStoreUrl'>,
): HealthCheck {
  yield await runCheck('master key', () => masterKey(config));
  if (!config.eventStoreUrl) {
    yield await runCheck('master key: webhook secrets', () => webhookSecrets(config));
    yield await runCheck('evidence key', () => evidenceKey(config));
  }
  yield await runCheck('operator token', () => {
    const file = join(config.dataDir, 'operator-token');
    return existsSync(file) ? privateFile(file) : ok('is made at the first start');
  });
}

function masterKey({ dataDir, masterKey: configured }: Pick<Config, 'dataDir' | 'masterKey'>) {
  const file = join(dataDir, 'master.key');
  if (!existsSync(file)) return ok(configured ? 'from SVC_MASTER_KEY' : 'is made at the first start');
  const written = keyIn(file);
  if (!written) return fail(`${file} does not hold 32 bytes in base64`);
  if (!configured) return privateFile(file);
  return written.equals(configured)
    ? ok('SVC_MASTER_KEY is the one in the data folder')
    : warn(`SVC_MASTER_KEY is not the one in ${file}: webhook secrets made with that one cannot be read`);
}

/** Tests the key against the newest webhook secret, because a key from the environment is stored nowhere. */
function webhookSecrets({ dataDir, masterKey: configured }: Pick<Config, 'dataDir' | 'masterKey'>) {
  const newest = newestEvent<{ secret: SealedSecret }>(dataDir, SEALING_EVENTS);
  if (!newest) return ok('none yet');
  const key = configured ?? keyIn(join(dataDir, 'master.key'));
  if (!key)
    return fail('the key that sealed them is missing: SVC_MASTER_KEY, or master.key in the data folder');
  return isSealedUnder(new HkdfMasterKey(key), newest.secret)
    ? ok('sealed with this key')
    : fail(
        'the newest was sealed with another key, which was used before, and cannot be opened with this one',
      );
}

/** Another key begins another log, which is seldom meant. */
function evidenceKey(config: Pick<Config, 'dataDir' | 'masterKey' | 'evidenceKey'>) {
  const newest = newestEvent<EvidenceLogStarted['data']>(config.dataDir, ['EvidenceLogStarted']);
  if (!newest) return ok('none was used before');
  const key = config.masterKey ?? keyIn(join(config.dataDir, 'master.key'));
  if (!key && !config.evidenceKey) return fail('the master key, of which it is made, is missing');
  const { origin, vkey } = newest;
  return evidenceKeyOf(config, new HkdfMasterKey(key ?? Buffer.alloc(0))).vkey(origin) === vkey
    ? ok(`the one of ${origin}`)
    : warn(`not the one of ${origin}: the next start begins a log with a new origin`);
}

function keyIn(file: string): Buffer | undefined {
  try {
    return bytes32(readFileSync(file, 'utf8').trim());
  } catch {
    return undefined;
  }
}

function privateFile(file: string) {
  const { mode } = statSync(file);
  return mode & 0o077 ? fail(`${file} can be read by others: chmod 600`) : ok(`in ${file}`);
}
