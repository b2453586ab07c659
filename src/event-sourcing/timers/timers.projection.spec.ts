import { schedule, unschedule, type Process } from '../../kernel/process.js';
import { project } from '../../../test/kit/projection.js';
import { NOON, recorded } from '../../../test/kit/recorded.js';
import { timersOf, timersProjection } from './timers.projection.js';

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

  it('gives each timer its process and subject', () => {
    const timers = project(projection, recorded<Event>('job-1', begun)).get('1')!;
    expect(timersOf(timers)).toEqual([
      { process: 'expiry', subject: '1', ...timers.timers.expiry },
      { process: 'watch', subject: '1', ...timers.timers.watch },
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
