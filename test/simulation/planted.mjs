import { mutants } from '../mutants/all.mjs';

const FAN_OUT = 'src/contexts/webhooks/fan-out/fan-out.ts';
const JOB_CLAIMS = 'src/contexts/jobs/job-claims.ts';
const CLAIM = 'src/contexts/claims/domain/claim.decider.ts';

/** Faults that break a promise and have no mutant of their own: edits by name. */
export const OWN = {
  'a hand-off under any lease': [
    {
      file: 'src/contexts/jobs/domain/job.hand-off.ts',
      find: 'const refusal = standing(job, command);\n  if (refusal) return reject(refusal);',
      put: '',
    },
    {
      file: 'src/contexts/jobs/domain/job.hand-off.ts',
      find: "if (!isHolder(session, job.lease)) return reject({ code: 'LeaseLost' });",
      put: '',
    },
  ],
  'a claim at any revision': [
    {
      file: CLAIM,
      find: "if (state.status === 'claimed' && (",
      put: "if (state.status === 'claimed' && kind !== 'job-create' && (",
    },
    {
      file: JOB_CLAIMS,
      find: "if (planned.append.expected === 'no_stream') return undefined;",
      put: 'return undefined;',
    },
  ],
  'commits are not synced': [
    {
      file: 'src/event-sourcing/embedded/connection.ts',
      find: "db.pragma('synchronous = FULL');",
      put: "db.pragma('synchronous = NORMAL');",
    },
  ],
  'events have no checksum': [
    {
      file: 'src/event-sourcing/embedded/log/log-schema.ts',
      find: 'if (checksum === null || storedChecksum(checksumOf(row), number) === checksum) return row;',
      put: 'return row;',
    },
  ],
  'a cursor before its delivery': [
    { file: FAN_OUT, find: '    run.position = last.position;\n', put: '' },
    {
      file: FAN_OUT,
      find: 'if (!last) return false;',
      put: 'if (!last) return false;\n    run.position = last.position;',
    },
  ],
};

const foundIn = (scenario, jobs, runs, faults) => faults.map((fault) => ({ fault, scenario, jobs, runs }));

/** The edits of a fault, of this list or of test/mutants. */
export function editsOf(name) {
  const edits = OWN[name] ?? mutants.filter((mutant) => mutant.name === name);
  if (edits.length === 0) throw new Error(`there is no fault named ${name}`);
  return edits;
}

/**
 * Faults of test/mutants that break a promise: found in this scenario, with so many jobs of each customer, within so
 * many seeds from 1 on.
 */
export const FOUND = [
  ...foundIn('rush', 40, 2, [
    'skip the fingerprint of a job',
    'a lost race is answered as a success',
    'cancel what the agent holds',
    'cancel leaves the lease alive',
    'any lease is as good as the newest',
  ]),
  ...foundIn('rush', 40, 12, ['ignore the fence of a report']),
  ...foundIn('shop', 40, 1, [
    'skip the fingerprint of a retry',
    'a retry does not take its key',
    'retry by itself what may have been printed',
    'park what is certain to be unprinted',
    'look at the first timer only',
    'evidence of a lost hand-off comes too late',
    'retry without end',
  ]),
  ...foundIn('partner', 40, 1, ['show a job of another tenant', 'refuse on an old state']),
  ...foundIn('partner', 40, 3, ['lease for a suspended account']),
  ...foundIn('partner', 40, 7, ['no expiry check at the hand-off', 'no expiry check at the accept']),
  ...foundIn('clones', 40, 3, [
    'forget the grace after the accept',
    'the older session goes on',
    'believe a successor at once',
    'forget the grace after the hand-off',
  ]),
  ...foundIn('outages', 40, 1, ['a permit for any session']),
  ...foundIn('outages', 80, 4, ['answer from a view that is behind']),
  ...foundIn('copies', 30, 1, ['a clone proves that nothing was printed']),
  ...foundIn('standIns', 40, 2, ['forget the older session before the retry']),
  ...foundIn('takeovers', 40, 5, ['a new session voids what may be printing']),
  ...foundIn('starts', 40, 1, ['trust lagging views after a start']),
  ...foundIn('restarts', 30, 3, ['any session may hand off']),
  ...foundIn('deadlines', 40, 2, ['an expired job is leased']),
  ...foundIn('deadlines', 40, 26, ['a job expires while it may be printing']),
  ...foundIn('restores', 100, 1, ['a batch misses the one being written']),
];
