import { faultsIn } from './faults.mjs';

const WRITE = 'src/event-sourcing/write';
const PROJECTIONS = 'src/event-sourcing/projections';
const TIMERS = 'src/event-sourcing/timers';

/** Faults in loading, deciding and appending, in the projection engine and in timers. */
export const engine = [
  ...faultsIn(`${WRITE}/aggregate-store`, [
    {
      name: 'a lost race is answered as a success',
      find: 'this.states.drop(stream);\n      throw error;',
      put: 'if (isLostRace(error)) return { ok: true, ...loaded, events: [] };\n      throw error;',
      test: 'test/surface/cancel-and-retry.spec.ts',
      only: 'exactly one of a cancel and an accept',
    },
    {
      name: 'refuse on an old state',
      find: 'this.options.shared && cached && !appends(decided.decision)',
      put: 'false',
      test: `${WRITE}/aggregate-store.shared.spec.ts`,
    },
    {
      name: 'a plan with given ids is no repeat',
      find: '...(eventIds && { isRepeat: true }),',
      put: '',
      test: `${WRITE}/aggregate-store.plan.spec.ts`,
    },
  ]),
  ...faultsIn(`${WRITE}/event-codec`, [
    { name: 'events share their metadata', find: 'lastDecoded?.text !== text', put: '!lastDecoded' },
  ]),
  ...faultsIn(`${WRITE}/checked-content`, [
    { name: 'print a damaged document', find: 'if (sha256(bytes) !== hash)', put: 'if (false)' },
  ]),
  ...faultsIn(`${WRITE}/end-all`, [
    { name: 'pass over what did not end', find: 'offset: left', put: 'offset: left + ended' },
  ]),
  ...faultsIn(`${PROJECTIONS}/batch-projector`, [
    {
      name: 'a batch misses the one being written',
      find: 'this.beingWritten.get(keyOf(view, id)) ?? this.kept.get(keyOf(view, id))',
      put: 'this.kept.get(keyOf(view, id))',
    },
  ]),
  ...faultsIn(`${PROJECTIONS}/stored-progress`, [
    {
      name: 'go on under the epoch of a successor',
      find: 'if (!isOurs) throw new SupersededError();',
      put: '',
    },
  ]),
  ...faultsIn(`${PROJECTIONS}/active-views`, [
    { name: 'compare a batch that is half written', find: 'this.isHalfWritten || ahead', put: 'ahead' },
    {
      name: 'a rebuild misses what was appended meanwhile',
      find: 'if (this.builds.length > 0) await replay.upTo(this.reached);',
      put: 'if (this.builds.length > 0) await Promise.resolve();',
    },
  ]),
  ...faultsIn(`${TIMERS}/timers.projection`, [
    {
      name: 'look at the first timer only',
      find: 'dues.reduce(earlier)',
      put: 'dues[0]!',
      test: `${TIMERS}/timers-of-subject.spec.ts`,
    },
  ]),
];
