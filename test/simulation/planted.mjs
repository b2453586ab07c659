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

/** The edits of a fault, of this list or of test/mutants. */
export function editsOf(name) {
  const edits = OWN[name] ?? mutants.filter((mutant) => mutant.name === name);
  if (edits.length === 0) throw new Error(`there is no fault named ${name}`);
  return edits;
}
