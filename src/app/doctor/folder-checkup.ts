import type { Config } from '../../config.js';
import type { Finding } from '../../ports/checkup.js';
import { fail, look, ok, warn } from '../../adapters/system/looking.js';
import { adviceOn, folderProblem } from '../used-folder.js';

/** Judges as a start does whether database, keys and documents of the embedded stores belong together. */
export function folderCheckup(config: Pick<Config, 'dataDir' | 'masterKey' | 'newStore'>): Promise<Finding> {
  return look('data folder: contents', () => {
    const problem = folderProblem(config);
    if (!problem) return ok('nothing is missing');
    return problem.canInsist && config.newStore ? warn(adviceOn(problem)) : fail(adviceOn(problem));
  });
}
