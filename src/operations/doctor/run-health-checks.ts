import { SystemClock } from '../../app/system/system-clock.js';
import { SystemRandomness } from '../../app/system/system-randomness.js';
import { ConfigError, loadConfig, type Config } from '../../config.js';
import type { JobDescription } from '../../contexts/jobs/index.js';
import { panelAddressWarning } from '../../app/config-warnings.js';
import { projectionsFor } from '../../app/projections.js';
import {
  embeddedStores,
  ok,
  readSecretFile,
  sumOf,
  runCheck,
  serverStores,
  warn,
  type HealthCheck,
  type Finding,
  fail,
} from '../../event-sourcing/index.js';
import { ENOUGH_FILES, MIN_FILES, openFileLimit, raiseLimit } from '../../app/tuning/file-limit.js';
import { adviceOn, folderProblem } from '../../app/used-folder.js';
import {
  OPERATOR_TOKEN_ID,
  operatorTokens,
  type OperatorTokenIssued,
} from '../../contexts/operators/index.js';
import { isCredential } from '../../kernel/credential.js';
import { fold } from '../../kernel/decider.js';
import { streamOf } from '../../kernel/ids.js';
import type { Milliseconds } from '../../kernel/time.js';
import { sharedTokenOf } from '../../app/operator-token.js';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { evidenceKeyOf } from '../../app/evidence.js';
import type { EvidenceLogStarted } from '../../evidence/evidence.events.js';
import { bytes32 } from '../../config.readers.js';
import { MasterKey, type SealedSecret } from '../../kernel/sealing.js';
import { isSealedUnder, SEALING_EVENTS } from '../../contexts/webhooks/index.js';

/** Does not start the service. */
export async function* runHealthChecks(env?: NodeJS.ProcessEnv): HealthCheck {
  let config: Config;
  try {
    config = loadConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const found of error.problems) yield { verdict: 'fail', what: 'configuration', found };
    return;
  }
  const { eventStoreUrl, mongoUrl, dataDir, projectorPartitions, archiveDir } = config;
  const home = eventStoreUrl ? 'server stores' : 'embedded stores';
  yield { what: 'configuration', ...ok(`${home}, ROLE=${config.role}`) };
  const warning = panelAddressWarning(config);
  if (warning) yield { what: 'panel', ...warn(warning) };
  yield await filesHealthCheck();
  yield* secretsHealthCheck(config);
  if (!eventStoreUrl || !mongoUrl) {
    yield await folderHealthCheck(config);
    const { dataDirHealthCheck, storedDataHealthCheck } = await embeddedStores();
    yield* dataDirHealthCheck(dataDir);
    yield* storedDataHealthCheck(dataDir, (created) => (created as Partial<JobDescription>).contentHash);
    return;
  }
  const { eventStoreHealthCheck, mongoHealthCheck } = await serverStores();
  const clock = new SystemClock();
  const randomness = new SystemRandomness();
  const views = projectionsFor(config).map(({ view }) => view);
  const answers = yield* eventStoreHealthCheck({ url: eventStoreUrl, clock, randomness });
  if (answers)
    yield await runCheck('event store: master key', () => usedKey(eventStoreUrl, config.masterKey!));
  if (answers && archiveDir)
    yield await runCheck('archive: every file', () => archivedFiles(eventStoreUrl, archiveDir));
  yield* mongoHealthCheck({ url: mongoUrl, clock, randomness, views, partitions: projectorPartitions });
}

/** Limit of this process; a service manager may set another for the service. */
export function filesHealthCheck(limit = openFileLimit()): Promise<Finding> {
  return runCheck('open files', () => {
    if (limit === undefined) return ok('no limit known');
    if (limit < MIN_FILES) return fail(raiseLimit(limit));
    return limit < ENOUGH_FILES ? warn(raiseLimit(limit)) : ok(`up to ${limit}`);
  });
}

/** Checks that database, keys and documents belong together, as the start does. */
export function folderHealthCheck(
  config: Pick<Config, 'dataDir' | 'masterKey' | 'newStore'>,
): Promise<Finding> {
  return runCheck('data folder: contents', async () => {
    const problem = folderProblem(config, await embeddedStores());
    if (!problem) return ok('nothing is missing');
    return problem.canOverride && config.newStore ? warn(adviceOn(problem)) : fail(adviceOn(problem));
  });
}

const WIDTH = 48;

/** One line per finding: `ok|warn|fail  <check>  <found>`. Resolves to exit code 1 if any failed. */
export async function report(findings: HealthCheck, print: (line: string) => void): Promise<number> {
  let code = 0;
  for await (const finding of findings) {
    print(lineOf(finding));
    if (finding.verdict === 'fail') code = 1;
  }
  return code;
}

function lineOf({ verdict, what, found }: Finding): string {
  return `${verdict.padEnd(4)}  ${what.padEnd(WIDTH)}  ${found.replace(/\s+/g, ' ')}\n`;
}

const TIMEOUT_MS: Milliseconds = 5_000;

/** Checks that the newest operator token was derived from this master key. */
async function usedKey(url: string, masterKey: Uint8Array) {
  const { EventStoreDb } = await serverStores();
  const store = EventStoreDb.open({ url, timeoutMs: TIMEOUT_MS });
  try {
    const issued = await store.load(streamOf(operatorTokens.category, OPERATOR_TOKEN_ID));
    const { hash } = fold(operatorTokens.decider, issued as unknown as readonly OperatorTokenIssued[]);
    if (hash === undefined) return ok('none was used before');
    return isCredential(sharedTokenOf(new MasterKey(masterKey)), hash)
      ? ok('the one that was used before')
      : fail('SVC_MASTER_KEY is not the one that was used before: what that one sealed cannot be opened');
  } finally {
    await store.close();
  }
}

/** Reads every listed file, so it finds damage that no request has met. */
async function archivedFiles(url: string, folder: string) {
  const { ArchiveManifest, EventStoreDb } = await serverStores();
  const store = EventStoreDb.open({ url, timeoutMs: TIMEOUT_MS });
  try {
    const files = await new ArchiveManifest(store).files();
    for (const { name, sha256 } of files) {
      const sum = await sumOf(join(folder, name));
      if (sum.sha256 !== sha256) return fail(`${name} is not what was written`);
    }
    return ok(`${files.length} as written`);
  } finally {
    await store.close();
  }
}

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
  return isSealedUnder(new MasterKey(key), newest.secret)
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
  return evidenceKeyOf(config, new MasterKey(key ?? Buffer.alloc(0))).vkey(origin) === vkey
    ? ok(`the one of ${origin}`)
    : warn(`not the one of ${origin}: the next start begins a log with a new origin`);
}

/** Undefined if it holds no key, or is missing. @throws Error if it cannot be read */
function keyIn(file: string): Buffer | undefined {
  const written = readSecretFile(file);
  try {
    return written === undefined ? undefined : bytes32(written);
  } catch {
    return undefined;
  }
}

/** @throws Error if it cannot be read */
function privateFile(file: string) {
  accessSync(file, constants.R_OK);
  const { mode } = statSync(file);
  return mode & 0o077 ? fail(`${file} can be read by others: chmod 600`) : ok(`in ${file}`);
}
