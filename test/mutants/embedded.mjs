import { faultsIn } from './faults.mjs';

const EMBEDDED = 'src/event-sourcing/embedded';
const CONTRACT = 'test/contract/event-store.spec.ts';
const IN_PROCESS = 'writer in the process';

/** Faults in the SQLite stores. The writer's own thread runs the build, so only its form in the process is tested. */
export const embedded = [
  ...faultsIn(`${EMBEDDED}/writer`, [
    {
      name: 'acknowledge before commit',
      find: "this.statement('COMMIT').run();",
      put: "setTimeout(() => this.statement('COMMIT').run(), 50);",
      test: CONTRACT,
      only: IN_PROCESS,
    },
    {
      name: 'a rolled-back commit leaves its revisions',
      find: 'this.log.invalidate();',
      put: '',
      test: CONTRACT,
      only: IN_PROCESS,
    },
  ]),
  ...faultsIn(`${EMBEDDED}/sqlite-derived-stores`, [
    {
      name: 'a checkpoint moves back',
      find: 'WHERE excluded.position > position',
      put: '',
      test: 'test/contract/checkpoint-store.spec.ts',
    },
  ]),
  ...faultsIn(`${EMBEDDED}/writer-host`, [
    {
      name: 'write on after a failed commit',
      find: "this.broken === undefined ? this.run(requests) : this.refuse(requests, 'not_written')",
      put: 'this.run(requests)',
    },
  ]),
  ...faultsIn(`${EMBEDDED}/log/event-log`, [
    {
      name: 'other events answer a repeat',
      find: 'stored.length === ids.length && stored.every(({ id }, n) => id === ids[n])',
      put: 'stored.length > 0',
      test: CONTRACT,
      only: IN_PROCESS,
    },
    {
      name: 'append to any revision',
      find: 'if (actual !== expected) {',
      put: 'if (actual < expected) {',
      test: CONTRACT,
      only: IN_PROCESS,
    },
  ]),
  ...faultsIn(`${EMBEDDED}/write-ahead-log`, [
    { name: 'damage in the last commit passes', find: 'isSynced || isGapless', put: 'isSynced' },
  ]),
  ...faultsIn(`${EMBEDDED}/view-sql`, [
    {
      name: 'lists miss the unindexed rows',
      find: 'hasUnindexed && !index?.onlyWhen ?',
      put: 'hasUnindexed && index?.onlyWhen ?',
      test: `${EMBEDDED}/unindexed-rows.spec.ts`,
    },
  ]),
];
