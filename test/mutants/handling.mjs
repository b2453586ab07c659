import { faultsIn } from './faults.mjs';

const SURFACE = 'test/surface';
const SILENCE = 'src/processes/job-silence.spec.ts';
const IDEMPOTENCY = `${SURFACE}/idempotency.spec.ts`;
const SESSIONS = `${SURFACE}/agent-sessions.spec.ts`;

/** Faults in what happens around the decision about a job: handlers, limits, timers, sessions of Agents. */
export const handling = [
  ...faultsIn('src/contexts/jobs/job-claims', [
    {
      name: 'skip the fingerprint of a job',
      find: 'if (taken.fingerprint !== fingerprint)',
      put: 'if (taken.fingerprint === undefined)',
      test: IDEMPOTENCY,
    },
  ]),
  ...faultsIn('src/contexts/jobs/submit-retry.handler', [
    {
      name: 'skip the fingerprint of a retry',
      find: 'if (claiming.rejection.fingerprint !== fingerprint)',
      put: 'if (claiming.rejection.fingerprint === undefined)',
      test: IDEMPOTENCY,
    },
    {
      name: 'a retry does not take its key',
      find: 'claiming.ok ? [claiming.planned, retry.planned] : [retry.planned]',
      put: '[retry.planned]',
      test: IDEMPOTENCY,
    },
  ]),
  ...faultsIn('src/processes/job-silence.process', [
    {
      name: 'forget the grace after the accept',
      find: "if (event.type !== 'JobAccepted') return [unschedule(jobId)];",
      put: "if (event.type !== 'HandoffStarted') return [unschedule(jobId)];",
      test: SILENCE,
    },
    {
      name: 'forget the grace after the hand-off',
      find: 'if (event.type !== begins) return [unschedule(jobId)];',
      put: "if (event.type !== begins || begins === 'HandoffStarted') return [unschedule(jobId)];",
      test: SILENCE,
    },
  ]),
  ...faultsIn('src/event-sourcing/timers/timer-loop', [
    {
      name: 'the grace after the accept has no limit',
      find: 'const until = atMost === undefined ? prolonged : earlier(prolonged, atMost);',
      put: 'const until = prolonged;',
    },
    {
      name: 'signs of life count for nothing',
      find: 'graceOf(timer, timer.kept_alive, heartbeats.get(timer.kept_alive.by), this.startedAt)',
      put: 'timer.due_at',
    },
    {
      name: 'a stale timer is asked for ever, at once',
      find: 'plus(at, STALE_RETRY_MS)',
      put: 'plus(at, 1)',
    },
  ]),
  ...faultsIn('projections/job-view/view-job-lists', [
    {
      name: 'renew by anyone: heartbeats of another computer',
      find: 'return job?.computer_id === computerId ?',
      put: 'return job ?',
      test: SESSIONS,
      only: 'calls another computer',
    },
  ]),
  ...faultsIn('src/api/agent/jobs/jobs.controller', [
    {
      name: 'renew by anyone: reports about another attempt',
      find: 'if (lease?.leaseId === leaseId && isHeld(status))',
      put: 'if (lease)',
      test: SESSIONS,
      only: 'about another lease',
    },
  ]),
  ...faultsIn('src/api/agent/caller-session', [
    {
      name: 'the older session goes on',
      find: 'if (given !== undefined && !isCurrentSession(state, given)) {',
      put: 'if (given === undefined) {',
      test: SESSIONS,
      only: 'replaces the older session',
    },
  ]),
  ...faultsIn('src/contexts/jobs/reconcile-session.handler', [
    {
      name: 'leases that a new session does not name stand',
      find: 'await this.voidOthers(command, replaced, named);',
      put: '',
      test: SESSIONS,
      only: 'voids',
    },
  ]),
  ...faultsIn('src/contexts/jobs/requeue-for-retry.handler', [
    {
      name: 'forget the older session before the retry',
      find: 'if (suspicion) return this.aggregates.execute(this.job, jobId, suspicion);',
      put: '',
      test: 'src/contexts/jobs/requeue-for-retry.spec.ts',
    },
  ]),
  ...faultsIn('src/contexts/jobs/limits', [
    {
      name: 'polls of one computer do not wait for each other',
      find: 'return this.locks.run(`leases of ${computerId}`, async () =>',
      put: 'return ((run: () => Promise<T>) => run())(async () =>',
      test: `${SURFACE}/leasing.spec.ts`,
      only: 'concurrent polls',
    },
  ]),
  ...faultsIn('src/contexts/jobs/lease-jobs.handler', [
    { name: 'no limit to the leases of an agent', find: 'MAX_LEASES - held.length', put: 'MAX_LEASES' },
    {
      name: 'lease for a suspended account',
      find: "if (account.status !== 'active') return { leases: [] };",
      put: '',
    },
  ]),
];
