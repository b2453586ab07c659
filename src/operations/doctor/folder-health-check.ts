import type { Config } from '../../config.js';
import type { Finding } from '../../event-sourcing/ports/health-check.js';
import { fail, runCheck, ok, warn } from '../../event-sourcing/ports/findings.js';
import { adviceOn, folderProblem } from '../../app/used-folder.js';

/** Runs the start's check that database, keys and documents of the embedded stores belong together. */
export function folderHealthCheck(
  config: Pick<Config, 'dataDir' | 'masterKey' | 'newStore'>,
): Promise<Finding> {
  return runCheck('data folder: contents', () => {
    const problem = folderProblem(config);
    if (!problem) return ok('nothing is missing');
    return problem.canOverride && config.newStore ? warn(adviceOn(problem)) : fail(adviceOn(problem));
  });
}
