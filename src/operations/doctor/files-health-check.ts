import { ENOUGH_FILES, MIN_FILES, openFileLimit, raiseLimit } from '../../app/tuning/file-limit.js';
import { type Finding, fail, runCheck, ok, warn } from '../../event-sourcing/index.js';

/** Checks the limit of this process; a service manager may set another for the service. */
export function filesHealthCheck(limit = openFileLimit()): Promise<Finding> {
  return runCheck('open files', () => {
    if (limit === undefined) return ok('no limit known');
    if (limit < MIN_FILES) return fail(raiseLimit(limit));
    return limit < ENOUGH_FILES ? warn(raiseLimit(limit)) : ok(`up to ${limit}`);
  });
}
