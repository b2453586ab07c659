import { dataDirCheckup } from '../../adapters/sqlite/data-dir-checkup.js';
import { storedDataCheckup } from '../../adapters/sqlite/stored-data-checkup.js';
import { eventStoreCheckup } from '../../adapters/eventstoredb/event-store-checkup.js';
import { mongoCheckup } from '../../adapters/mongodb/mongo-checkup.js';
import { SystemClock } from '../../adapters/system/system-clock.js';
import { SystemRandomness } from '../../adapters/system/system-randomness.js';
import { ConfigError, loadConfig, type Config } from '../../config.js';
import type { JobDescription } from '../../contexts/jobs/index.js';
import type { Checkup } from '../../ports/checkup.js';
import { look, ok } from '../../adapters/system/looking.js';
import { projectionsFor } from '../projections.js';
import { filesCheckup } from './files-checkup.js';
import { folderCheckup } from './folder-checkup.js';
import { secretsCheckup } from './secrets-checkup.js';
import { usedKey } from './used-key-checkup.js';

/** Looks at everything that the service needs, as it is configured, without starting it. */
export async function* checkup(env?: NodeJS.ProcessEnv): Checkup {
  let config: Config;
  try {
    config = loadConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const found of error.problems) yield { verdict: 'fail', what: 'configuration', found };
    return;
  }
  const { eventStoreUrl, mongoUrl, dataDir } = config;
  const home = eventStoreUrl ? 'server stores' : 'embedded stores';
  yield { what: 'configuration', ...ok(`${home}, ROLE=${config.role}`) };
  yield await filesCheckup();
  yield* secretsCheckup(config);
  if (!eventStoreUrl || !mongoUrl) {
    yield await folderCheckup(config);
    yield* dataDirCheckup(dataDir);
    yield* storedDataCheckup(dataDir, (created) => (created as Partial<JobDescription>).contentHash);
    return;
  }
  const clock = new SystemClock();
  const randomness = new SystemRandomness();
  const views = projectionsFor(config).map(({ view }) => view);
  const answers = yield* eventStoreCheckup({ url: eventStoreUrl, clock, randomness });
  if (answers) yield await look('event store: master key', () => usedKey(eventStoreUrl, config.masterKey!));
  yield* mongoCheckup({ url: mongoUrl, clock, randomness, views });
}
