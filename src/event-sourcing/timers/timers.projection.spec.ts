import { schedule, unschedule, type Process } from '../../kernel/process.js';
import { project } from '../../../test/kit/projection.js';
import { NOON, recorded } from '../../../test/kit/recorded.js';
import { timersProjection } from './timers.projection.js';

type Event = { type: 'Begun'; data: { due: string } } | { type: 'Ended'; data: Record<string, never> };

const expiry: Process<Event> = {
  name: 'expiry',
  handles: ['Begun', 'Ended'],
  react: (event) =>
    event.type === 'Begun'
      ? [schedule('1', event.data.due, { job: '1' }, { by: 'lease:1', forMs: 5 })]
      : [unschedule('1')],
};

/** Arms anew in the same reaction that disarms. */
const reminder: Process<Event> = {
  name: 'reminder',
  handles: ['Ended'],
  react: () => [unschedule('1'), schedule('1', NOON, {}), schedule('2', NOON, {})],
};

const begun: Event = { type: 'Begun', data: { due: '2026-11-21T13:00:00.000Z' } };
const ended: Event = { type: 'Ended', data: {} };
const projection = timersProjection([expiry, reminder]);

describe('keeping timers', () => {
  it('shows what a process scheduled, with the event that armed it', () => {
    const [event] = recorded('job-1', begun);
    const timers = project(projection, [event!]);

    expect([...timers]).toEqual([
      [
        'expiry:1',
        {
          id: 'expiry:1',
          process: 'expiry',
          due_at: '2026-11-21T13:00:00.000Z',
          payload: { job: '1' },
          kept_alive: { by: 'lease:1', forMs: 5 },
          armed_by: event!.id,
          correlation_id: 'correlation-1',
        },
      ],
    ]);
  });

  it('takes away what is unscheduled, and keeps the timers of processes apart', () => {
    const timers = project(projection, recorded<Event>('job-1', begun, ended));

    expect([...timers.keys()]).toEqual(['reminder:1', 'reminder:2']);
    expect(timers.get('reminder:1')).not.toHaveProperty('kept_alive');
  });

  it('handles what any process handles, once', () => {
    expect(projection.handles).toEqual(['Begun', 'Ended']);
  });
});
