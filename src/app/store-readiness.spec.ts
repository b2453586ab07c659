import { Faults } from '../../test/kit/faults.js';
import { ManualClock } from '../../test/kit/manual-clock.js';
import { SystemRandomness } from './system/system-randomness.js';
import { RollbackState } from '../contexts/recovery/index.js';
import { AggregateStore } from '../event-sourcing/write/aggregate-store.js';
import type { EventStore } from '../event-sourcing/ports/event-store.port.js';
import { ViewMaintenance, type ViewStatus } from '../event-sourcing/ports/view-store.port.js';
import { StoreReadiness } from './store-readiness.js';
import { TestEventStore } from '../../test/kit/stores.js';

class Followers extends ViewMaintenance {
  lag = 0;
  late = 0;
  async check(): Promise<void> {}
  async list(): Promise<readonly ViewStatus[]> {
    return [{ name: 'notes', version: 1, position: undefined, lag: this.lag }];
  }
  override behindMs = async () => this.late;
  rebuild = () => this.list().then(([status]) => status!);
  verify = async () => [];
}

function scene() {
  const events = new Faults<EventStore>(new TestEventStore());
  const followers = new Followers();
  const views = new Faults<ViewMaintenance>(followers);
  const aggregates = new AggregateStore(events.port, new SystemRandomness());
  const rollback = new RollbackState(aggregates, new ManualClock());
  return { events, followers, views, readiness: new StoreReadiness(events.port, views.port, rollback) };
}
const ok = { event_store: 'ok', read_store: 'ok', projections: 'ok' };

describe('readiness', () => {
  it('requires both stores and views that are up to date', async () => {
    const { readiness, followers } = scene();
    expect(await readiness.check()).toEqual(ok);
    followers.lag = 10_001;
    expect(await readiness.check()).toEqual({ ...ok, projections: 'lagging' });
  });

  it('fails when views have lacked an event for longer than a minute', async () => {
    const { readiness, followers } = scene();
    followers.late = 60_000;
    expect(await readiness.check()).toEqual(ok);
    followers.late = 60_001;
    expect(await readiness.check()).toEqual({ ...ok, projections: 'lagging' });
  });

  it('reports a failing event store', async () => {
    const { readiness, events, views } = scene();
    events.refuse('check');
    views.refuse('list');
    expect(await readiness.check()).toEqual({ ...ok, event_store: 'failing', projections: 'lagging' });
  });

  it('reports a read store that does not answer in time', async () => {
    const { readiness, views } = scene();
    const held = [views.hold('check'), views.hold('list')];
    const checks = await readiness.check();
    held.forEach(({ letGo }) => letGo());
    expect(checks).toEqual({ ...ok, read_store: 'failing', projections: 'lagging' });
  });
});
