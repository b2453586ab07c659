import { faultsIn } from './faults.mjs';

const EVENTSTORE = 'src/event-sourcing/servers/eventstoredb';
const MONGO = 'src/event-sourcing/servers/mongodb';
const SHARED = 'src/event-sourcing/write/aggregate-store.shared.spec.ts';
const CLUSTER = 'src/event-sourcing/servers/cluster';

/** Faults in the server stores, and in what instances share. */
export const servers = [
  ...faultsIn(`${EVENTSTORE}/appender`, [
    {
      name: 'events of another writer answer a repeat',
      find: 'if (!last || !events.every(({ id }, n) => found[n]?.id === id)) return undefined;',
      put: 'if (!last) return undefined;',
    },
    {
      name: 'report a lost race before its winner can be read',
      find: 'await this.untilReadable(stream, failure.actual);',
      put: '',
    },
  ]),
  ...faultsIn(`${EVENTSTORE}/outage`, [
    {
      name: 'an outage ends with the first connection',
      find: 'if (this.failing.size > 0) return;',
      put: '',
    },
  ]),
  ...faultsIn(`${EVENTSTORE}/failures`, [
    {
      name: 'an append without answer was not written',
      find: "refused ? 'not_written' : 'unknown'",
      put: "'not_written'",
    },
  ]),
  ...faultsIn(`${EVENTSTORE}/subscription`, [
    {
      name: 'a checkpoint passes an event that may follow',
      find: 'if (checkpoint.prepare >= checkpoint.commit) this.moveTo',
      put: 'this.moveTo',
    },
    {
      name: 'wait after a dropped subscription',
      find: 'hasProgressed && isDropped(reason)',
      put: 'false',
      test: `${EVENTSTORE}/feed.spec.ts`,
    },
  ]),
  ...faultsIn(`${EVENTSTORE}/connection-string`, [
    {
      name: 'read from a follower',
      find: "options.nodePreference !== undefined && options.nodePreference !== 'leader'",
      put: 'false',
    },
  ]),
  ...faultsIn(`${EVENTSTORE}/log-reader`, [
    {
      name: 'a cancelled read counts as whole',
      find: 'if (client === this.holder.current) return items;',
      put: 'return items;',
    },
  ]),
  ...faultsIn(`${EVENTSTORE}/client-holder`, [
    {
      name: 'late failures of the old client replace the new one',
      find: 'if (client !== this.current) return;\n    if (kind',
      put: 'if (kind',
    },
  ]),
  ...faultsIn(`${MONGO}/upserts`, [
    {
      name: 'bulks in any order',
      find: '[...writes].sort(byId)',
      put: 'writes',
      test: `${MONGO}/bulks.spec.ts`,
    },
  ]),
  ...faultsIn(`${MONGO}/mongo-home`, [
    {
      name: 'a system database in capitals',
      find: 'OF_THE_SERVER.has(database.toLowerCase())',
      put: 'OF_THE_SERVER.has(database)',
      test: `${MONGO}/database-name.spec.ts`,
    },
  ]),
  ...faultsIn(`${MONGO}/mongo-errors`, [
    {
      name: 'a duplicate in any index counts as a taken id',
      find: "return Object.keys(keyPattern).join() === '_id';",
      put: 'return true;',
    },
    {
      name: 'a call without answer was not written',
      find: "neverSent(error) ? 'not_written' : 'unknown'",
      put: "'not_written'",
    },
  ]),
  ...faultsIn(`${MONGO}/mongo-locks`, [
    {
      name: 'work under a lost lock succeeds',
      find: 'if (this.isLost(lease)) throw',
      put: 'if (false) throw',
    },
  ]),
  ...faultsIn(`${MONGO}/lease-documents`, [
    {
      name: 'renew a lease after its release',
      find: 'leases.updateOne({ _id, holder, epoch }, prolonged)',
      put: 'leases.updateOne({ _id }, prolonged)',
      test: `${MONGO}/mongo-locks.spec.ts`,
    },
  ]),
  ...faultsIn(`${MONGO}/view-questions`, [
    {
      name: 'lists show tombstones',
      find: "return { ...equalTo(where), _position: { $gt: '' } };",
      put: 'return { ...equalTo(where) };',
    },
  ]),
  ...faultsIn(`${MONGO}/gated-writes`, [
    {
      name: 'an older document replaces a newer one',
      find: 'filter: { _id, _revision: { $lt: row._revision } }',
      put: 'filter: { _id }',
      test: 'test/contract/view-writer.spec.ts',
    },
  ]),
  ...faultsIn(`${MONGO}/view-totals`, [
    {
      name: 'count an event twice',
      find: 'changes.filter(({ position }) => position > at)',
      put: 'changes',
      test: 'test/contract/view-totals.spec.ts',
      only: 'seed 0',
    },
  ]),
  ...faultsIn(`${CLUSTER}/leader-election`, [
    {
      name: 'lead on under the epoch of another',
      find: 'renewed?.epoch === epoch',
      put: 'renewed !== undefined',
    },
  ]),
  ...faultsIn(`${CLUSTER}/stream-folding-views`, [
    {
      name: 'trust lagging views after a start',
      find: 'if (this.before === null || (this.before !== undefined && !this.shows(this.before, stream))) return true;',
      put: '',
      test: `${CLUSTER}/unprojected-streams.spec.ts`,
    },
  ]),
  ...faultsIn(`${CLUSTER}/projected-event-store`, [
    {
      name: 'no event is missing between two subscriptions',
      find: 'this.before = this.events.length > 0 ? undefined : this.head;',
      put: 'this.before = this.head;',
      test: `${CLUSTER}/pending-events.spec.ts`,
    },
  ]),
  ...faultsIn('src/event-sourcing/write/aggregate-states', [
    {
      name: 'trust a state of before an interruption',
      find: 'this.heardIn.get(stream) === period',
      put: 'this.heardIn.get(stream)',
      test: SHARED,
    },
    {
      name: 'miss an event that arrives during a read',
      find: 'this.heardIn.get(stream) === mark',
      put: 'true',
      test: SHARED,
    },
  ]),
  ...faultsIn(`${CLUSTER}/projected-event-store`, [
    {
      name: 'know all that the views lack, however little was heard',
      find: '!pending.isCompleteAfter(position)',
      put: 'false',
      test: `${CLUSTER}/hearing.spec.ts`,
    },
  ]),
  ...faultsIn(`${CLUSTER}/stream-folding-views`, [
    {
      name: 'answer from a view that is behind',
      find: 'this.unprojected.has(stream) ? undefined : await',
      put: 'await',
    },
  ]),
];
