import { schedule, unschedule, type Process } from '../../kernel/process.js';
import { idOf } from '../../kernel/ids.js';
import type { Projection } from '../../kernel/projection.js';
import type { Recorded } from '../../kernel/recorded-event.js';
import { project } from '../../../test/kit/projection.js';
import { NOON, recorded } from '../../../test/kit/recorded.js';
import { timersProjection, withTimers } from './timers.projection.js';

type Event =
  | { type: 'Begun'; data: { due: string } }
  | { type: 'Noted'; data: Record<string, never> }
  | { type: 'Ended'; data: Record<string, never> };

const expiry: Process<Event> = {
  name: 'expiry',
  handles: ['Begun', 'Ended'],
  react: (event) =>
    event.type === 'Begun'
      ? [schedule('1', event.data.due, { fence: 1 }, { by: 'lease:1', forMs: 5 })]
      : [unschedule('1')],
};

/** Arms anew in the same reaction that disarms. */
const reminder: Process<Event> = {
  name: 'reminder',
  handles: ['Noted', 'Ended'],
  react: ({ type }) =>
    type === 'Noted' ? [unschedule('3')] : [unschedule('1'), schedule('1', NOON), schedule('2', NOON)],
};

/** A second timer of the same subject. */
const watch: Process<Event> = {
  name: 'watch',
  handles: ['Begun', 'Noted'],
  react: ({ type }) => [type === 'Begun' ? schedule('1', EARLY) : unschedule('1')],
};

const EARLY = '2026-11-21T12:30:00.000Z';
const DUE = '2026-11-21T13:00:00.000Z';
const begun: Event = { type: 'Begun', data: { due: DUE } };
const noted: Event = { type: 'Noted', data: {} };
const ended: Event = { type: 'Ended', data: {} };
const projection = timersProjection([expiry, reminder, watch]);

describe('projecting timers', () => {
  it('shows the scheduled timers of a subject with their arming events', () => {
    const [event] = recorded('job-1', begun);
    const armed = { armed_by: event!.id, correlation_id: 'correlation-1' };

    expect([...project(projection, [event!])]).toEqual([
      [
        '1',
        {
          subject: '1',
          due_at: EARLY,
          sequence: 0,
          timers: {
            expiry: {
              due_at: DUE,
              payload: { fence: 1 },
              kept_alive: { by: 'lease:1', forMs: 5 },
              ...armed,
            },
            watch: { due_at: EARLY, payload: {}, ...armed },
          },
        },
      ],
    ]);
  });

  it('removes unscheduled timers, and separates those of processes', () => {
    const noticed = project(projection, recorded<Event>('job-1', begun, noted));
    expect(noticed.get('1')).toMatchObject({ due_at: DUE, sequence: 1 });
    expect(Object.keys(noticed.get('1')!.timers)).toEqual(['expiry']);

    const over = project(projection, recorded<Event>('job-1', begun, noted, ended));
    expect([...over.keys()]).toEqual(['1', '2']);
    expect(Object.keys(over.get('1')!.timers)).toEqual(['reminder']);
  });

  it('deletes the document of a subject without timers', () => {
    const only = timersProjection([expiry]);
    expect(project(only, recorded<Event>('job-1', begun, ended)).size).toBe(0);
  });

  it('leaves a document unchanged if an event changes nothing', () => {
    const [first, second, third] = recorded<Event>('job-1', begun, noted, noted);
    const before = project(projection, [first!, second!]).get('1');
    expect(projection.apply(before, third!, '1')).toBe(before);
    expect(projection.apply(undefined, third!, '3')).toBeUndefined();
  });

  it('handles each event type of any process once', () => {
    expect(projection.handles).toEqual(['Begun', 'Ended', 'Noted']);
  });
});

describe('projecting documents with timers', () => {
  const things: Projection<{ id: string; changes: number }, Event> = {
    view: { name: 'things', version: 1, indexes: [{ fields: ['due_at'] }], volatileFields: ['due_at'] },
    handles: ['Begun', 'Noted', 'Ended'],
    keysOf: ({ stream }) => [idOf(stream)],
    apply: (thing, _, id) => ({ ...thing, id, changes: (thing?.changes ?? 0) + 1 }),
  };
  const timed = withTimers(things, [expiry, watch]);
  const after = (...events: Event[]) => project(timed, recorded('job-1', ...events)).get('1');

  it('refers to the event that armed each timer, and shows the earliest', () => {
    expect(after(begun)).toEqual({
      id: '1',
      changes: 1,
      due_at: EARLY,
      timers: { expiry: [DUE, 0], watch: [EARLY, 0] },
    });
    expect(after(begun, begun)).toMatchObject({ timers: { expiry: [DUE, 1], watch: [EARLY, 1] } });
  });

  it('keeps what no event changes, a deferral too', () => {
    const [first, second, third] = recorded<Event>('job-1', begun, noted, noted);
    const before = project(timed, [first!, second!]).get('1')!;
    expect(before).toEqual({ id: '1', changes: 2, due_at: DUE, timers: { expiry: [DUE, 0] } });
    const deferred = { ...before, due_at: NOON };
    expect(timed.apply(deferred, third as Recorded<Event>, '1')).toEqual({ ...deferred, changes: 3 });
  });

  it('leaves a document without timers', () => {
    expect(after(begun, noted, ended)).toEqual({ id: '1', changes: 3 });
  });
});
