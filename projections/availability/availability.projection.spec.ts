import type { ComputerEvent } from '../../src/contexts/devices/domain/computer.events.js';
import { plus } from '../../src/kernel/time.js';
import * as pc from '../../test/kit/examples/devices.js';
import { project } from '../../test/kit/projection.js';
import { NOON, recorded, recordedAt } from '../../test/kit/recorded.js';
import { TestViews } from '../../test/kit/views.js';
import { MAX_INTERVALS } from './availability.js';
import { availabilityProjection } from './availability.projection.js';
import { AvailabilityQueries } from './availability.queries.js';

const HOUR = 3_600_000;
const second = (n: number) => plus(NOON, n * 1_000);
const after = (...events: ComputerEvent[]) =>
  project(availabilityProjection, recorded(pc.COMPUTER_STREAM, ...events));
const computer = (...events: ComputerEvent[]) => after(pc.registered, ...events).get(pc.COMPUTER_ID)!;
const printer = (...events: ComputerEvent[]) =>
  after(pc.registered, pc.detected(), ...events).get(pc.printerIdOf(1))!;

describe('the availability of a computer', () => {
  it('begins as pending and keeps each state with its beginning', () => {
    expect(computer()).toEqual({
      ...{ id: pc.COMPUTER_ID, kind: 'computer', account_id: pc.ACCOUNT_ID },
      ...{ state: 'pending', since: NOON, earlier: [] },
    });
    expect(computer(pc.sessionStarted(), pc.cameOnline, pc.wentOffline)).toMatchObject({
      ...{ state: 'offline', since: second(3) },
      earlier: [
        { state: 'pending', since: NOON },
        { state: 'offline', since: second(1) },
        { state: 'online', since: second(2) },
      ],
    });
  });

  it.each([
    ['disabled', [pc.cameOnline, pc.disabled]],
    ['disabled', [pc.disabled, pc.reenrolled()]],
    ['offline', [pc.disabled, pc.enabled('offline')]],
    ['pending', [pc.cameOnline, pc.reenrolled()]],
    ['gone', [pc.cameOnline, pc.revoked]],
  ] as const)('becomes %s', (state, events) => {
    expect(computer(...events).state).toBe(state);
  });

  it('stays the same while its state does not change', () => {
    const before = computer(pc.cameOnline);
    expect(computer(pc.cameOnline, pc.sessionStarted(), pc.cameOnline)).toEqual(before);
  });

  it('forgets intervals that ended 48 hours before the newest change', () => {
    const events = [pc.registered, pc.cameOnline, pc.wentOffline, pc.cameOnline];
    const hours = [0, 1, 30, 50];
    const told = events.map((event, n) =>
      recordedAt<ComputerEvent>(plus(NOON, hours[n]! * HOUR), pc.COMPUTER_STREAM, n, event),
    );
    expect(project(availabilityProjection, told).get(pc.COMPUTER_ID)!.earlier).toEqual([
      { state: 'online', since: plus(NOON, HOUR) },
      { state: 'offline', since: plus(NOON, 30 * HOUR) },
    ]);
  });

  it('keeps the newest intervals of one that changes all the time', () => {
    const flapping = Array.from({ length: 2 * MAX_INTERVALS }, (_, n) =>
      n % 2 === 0 ? pc.cameOnline : pc.wentOffline,
    );
    const { earlier } = computer(...flapping);
    expect(earlier).toHaveLength(MAX_INTERVALS);
    expect(earlier.at(-1)).toMatchObject({ state: 'online' });
  });
});

describe('the availability of a printer', () => {
  it('begins as offline and follows its own events', () => {
    expect(printer()).toMatchObject({ kind: 'printer', account_id: pc.ACCOUNT_ID, state: 'offline' });
    expect(printer(pc.printerOnline('offline'), pc.cameOnline).state).toBe('online');
    expect(printer(pc.printerOnline('offline'), pc.printerOffline('online')).state).toBe('offline');
    expect(printer(pc.printerDisabled('offline')).state).toBe('disabled');
    expect(printer(pc.printerRemoved('offline')).state).toBe('gone');
  });
});

describe('strips of an account', () => {
  const views = new TestViews([availabilityProjection]);
  const queries = new AvailabilityQueries(views.store);
  beforeAll(() =>
    views.project(
      recorded<ComputerEvent>(
        pc.COMPUTER_STREAM,
        ...[pc.registered, pc.cameOnline, pc.detected(1), pc.detected(2)],
        ...[pc.printerOnline('offline'), pc.wentOffline, pc.cameOnline, pc.printerRemoved('offline', 2)],
      ),
    ),
  );
  const strips = (kind: 'computer' | 'printer', from: string, accountId = pc.ACCOUNT_ID) =>
    queries.strips(accountId, kind, { from, limit: 9 });

  it('show the intervals since a time, and how often it went offline', async () => {
    expect(await strips('computer', second(3))).toEqual([
      {
        ...{ id: pc.COMPUTER_ID, state: 'online', since: second(6), outages: 1 },
        intervals: [
          { state: 'online', since: second(1) },
          { state: 'offline', since: second(5) },
          { state: 'online', since: second(6) },
        ],
      },
    ]);
    expect(await strips('computer', second(6))).toMatchObject([{ outages: 0 }]);
  });

  it('leave out removed printers and other accounts', async () => {
    expect(await strips('printer', NOON)).toMatchObject([{ id: pc.printerIdOf(1), state: 'online' }]);
    expect(await strips('computer', NOON, 'another account')).toEqual([]);
  });
});
