import type { Config } from '../../config.js';
import { adviceOn, folderProblem } from '../../app/used-folder.js';
import { embeddedStores, fail, ok, runCheck, warn, type Finding } from '../../event-sourcing/index.js';

/** Runs the start's check that database, keys and documents of the embedded stores belong together. */
export function folderHealthCheck(
  config: Pick<Config, 'dataDir' | 'masterKey' | 'newStore'>,
): Promise<Finding> {
  return runCheck('data folder: contents', async () => {
    const problem = folderProblem(config, await embeddedStores());
    if (!problem) return ok('nothing is missing');
    return problem.canOverride && config.newStore ? warn(adviceOn(problem)) : fail(adviceOn(problem));
  });
}
