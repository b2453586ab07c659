import type { Finding } from '../../ports/checkup.js';
import { fail, look, ok, warn } from '../../adapters/system/looking.js';
import { ENOUGH_FILES, FEWEST_FILES, openFileLimit, raiseLimit } from '../file-limit.js';

/** Looks at the limit of this process; a service manager may give the service another. */
export function filesCheckup(limit = openFileLimit()): Promise<Finding> {
  return look('open files', () => {
    if (limit === undefined) return ok('no limit known');
    if (limit < FEWEST_FILES) return fail(raiseLimit(limit));
    return limit < ENOUGH_FILES ? warn(raiseLimit(limit)) : ok(`up to ${limit}`);
  });
}
