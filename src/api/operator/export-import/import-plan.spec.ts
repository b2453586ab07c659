import { NOON, recordedAt } from '../../../../test/kit/recorded.js';
import { planImport, type ArrivingEvent } from './import-plan.js';

const arriving = (stream: string, count: number): ArrivingEvent[] =>
  Array.from({ length: count }, (_, n) => recordedAt(NOON, stream, n, { type: 'Noted', data: {} }));

describe('planning an import', () => {
  it('appends consecutive events of one stream together, at most a hundred', () => {
    const plan = planImport([...arriving('note-1', 250), ...arriving('note-2', 2)], new Map());
    const appends = plan.fits ? plan.appends : [];

    expect(appends.map(({ stream, expected, events }) => [stream, expected, events.length])).toEqual([
      ['note-1', 'no_stream', 100],
      ['note-1', 99, 100],
      ['note-1', 199, 50],
      ['note-2', 'no_stream', 2],
    ]);
  });
});
