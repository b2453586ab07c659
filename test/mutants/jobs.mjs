import { faultsIn } from './faults.mjs';

const DOMAIN = 'src/contexts/jobs/domain';
const LEASE = `${DOMAIN}/job.lease.spec.ts`;
const RESULTS = `${DOMAIN}/job.results.spec.ts`;
const SESSIONS = `${DOMAIN}/job.sessions.spec.ts`;

/** Faults in the decisions about a job. */
export const jobs = [
  ...faultsIn(`${DOMAIN}/job.results`, [
    {
      name: 'ignore the fence of a report',
      find: 'if (command.fence < job.attemptCount) return late(job, command);',
      put: '',
    },
    {
      name: 'apply a repeated report again',
      find: 'if (job.reportsSeen.includes(command.report.id)) return accept();',
      put: '',
    },
    {
      name: 'evidence of a lost hand-off comes too late',
      find: 'if (success && isThoughtUnprinted(job, command.fence)) return unexpected(job, command, policy);',
      put: '',
      test: `${DOMAIN}/job.evidence.spec.ts`,
    },
    {
      name: 'retry by itself what may have been printed',
      find: 'accept(parked({ job, lease }, doubtOf(reported), command.at, policy))',
      put: "fail(reported, 'temporary', 'SPOOLER_VANISHED')",
    },
    {
      name: 'park what is certain to be unprinted',
      find: "(type === 'not_submitted' && lease.phase !== 'spooled')",
      put: "(type === 'not_submitted' && lease.phase === 'spooled')",
    },
    {
      name: 'retry what the Agent doubts before the hand-off',
      find: "if (said === undefined || said === 'ambiguous') return unexpected(job, command, policy);",
      put: "if (said === undefined || said === 'ambiguous') return fail(reported, 'temporary', 'SPOOLER_VANISHED');",
    },
    {
      name: 'a result after the parking comes to nothing',
      find: "if (reported.command.report.type === 'spooler_completed')",
      put: 'if (reported.command.fence < 0)',
    },
  ]),
  ...faultsIn(`${DOMAIN}/job.lease`, [
    {
      name: 'any lease is as good as the newest',
      find: "if (job.lease?.leaseId !== claim.leaseId || job.lease.fence !== claim.fence) return { code: 'LeaseLost' };",
      put: '',
    },
    {
      name: 'a new session voids what may be printing',
      find: "const lease = leaseIn(job, 'accepted', leaseId);",
      put: "const lease = leaseIn(job, 'accepted', leaseId) ?? leaseIn(job, 'handed_off', leaseId);",
    },
    {
      name: 'no expiry check at the accept',
      find: 'if (at >= job.expiresAt) return accept(...expired(job, at, policy));',
      put: '',
    },
    {
      name: 'an expired job is leased',
      find: "if (at >= job.expiresAt) return reject({ code: 'JobExpired' });",
      put: '',
    },
    {
      name: 'lapse without end',
      find: 'const requeued = lapsesInARow < LAPSES_IN_A_ROW;',
      put: 'const requeued = true;',
    },
  ]),
  ...faultsIn(`${DOMAIN}/job.state`, [
    {
      name: 'a released lease counts as a lapse',
      find: "status: 'queued',\n    lapsesInARow: 0,\n    releasesInARow: job",
      put: "status: 'queued',\n    releasesInARow: job",
      test: LEASE,
    },
  ]),
  ...faultsIn(`${DOMAIN}/job.rules`, [
    {
      name: 'can_retry after the expiry',
      find: 'return undecided && job.contentAvailable && now < job.expiresAt;',
      put: 'return undecided && job.contentAvailable;',
      test: 'test/chaos/model/job-model.spec.ts',
    },
    {
      name: 'cancel what the agent holds',
      find: "['created', 'queued', 'leased']",
      put: "['created', 'queued', 'leased', 'accepted_by_agent']",
    },
  ]),
  ...faultsIn(`${DOMAIN}/job.hand-off`, [
    {
      name: 'double hand-off',
      find: "if (job.lease?.phase === 'handed_off') {",
      put: "if (job.lease?.phase === 'released') {",
    },
    {
      name: 'a permit for any session',
      find: "return isPermitFor(session, job.lease, at, policy) ? accept() : reject({ code: 'LeaseLost' });",
      put: 'return accept();',
      test: SESSIONS,
    },
    {
      name: 'any session may hand off',
      find: "if (!isHolder(session, job.lease)) return reject({ code: 'LeaseLost' });",
      put: '',
      test: SESSIONS,
    },
    {
      name: 'hand-off without the accept',
      find: "if (job.status === 'leased') return reject({ code: 'JobNotAccepted' });",
      put: '',
    },
    {
      name: 'no expiry check at the hand-off',
      find: 'if (at >= job.expiresAt) return accept(...expired(job, at, policy));',
      put: '',
    },
  ]),
  ...faultsIn(`${DOMAIN}/job.evidence`, [
    {
      name: 'a clone proves that nothing was printed',
      find: 'if (!predecessors.includes(permitSessionId)) return undefined;',
      put: 'if (!predecessors.includes(permitSessionId)) return {};',
      test: SESSIONS,
    },
    {
      name: 'believe a successor at once',
      find: 'notBefore: plus(startedAt ?? at, successionMs),',
      put: '',
      test: SESSIONS,
    },
    {
      name: 'late results without end',
      find: "if (job.lateResults >= LATE_RESULTS_KEPT) return reject({ code: 'LateResultNotKept' });",
      put: '',
    },
  ]),
  ...faultsIn(`${DOMAIN}/job.outcomes`, [
    {
      name: "believe the agent's clock",
      find: 'return later(said, knownAt);',
      put: 'return report.occurredAt ?? said;',
      test: RESULTS,
    },
    {
      name: 'no time for a person to decide',
      find: 'later(job.expiresAt, plus(at, policy.reviewWindowMs))',
      put: 'job.expiresAt',
      test: `${DOMAIN}/job.hand-off.spec.ts`,
    },
    {
      name: 'content goes while a person may still retry',
      find: 'temporary ? later(job.expiresAt, at) : at',
      put: 'at',
      test: LEASE,
    },
    {
      name: 'retry without end',
      find: 'const exhausted = job.retryCount >= job.maxAutoRetries;',
      put: 'const exhausted = false;',
      test: LEASE,
    },
  ]),
  ...faultsIn(`${DOMAIN}/job.lifecycle`, [
    {
      name: 'a job expires while it may be printing',
      find: "return job.lease?.phase === 'accepted';",
      put: 'return true;',
    },
    {
      name: 'cancel leaves the lease alive',
      find: "...withdrawn(job, 'cancelled'), ",
      put: '',
    },
  ]),
];
