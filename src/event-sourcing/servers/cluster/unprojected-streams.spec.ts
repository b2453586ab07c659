import type { PlacedEvent } from '../../ports/remote-event-store.port.js';
import { UnprojectedStreams } from './stream-folding-views.js';

function scene() {
  let shown: string | undefined;
  const asked: (readonly PlacedEvent[])[] = [];
  const streams = new UnprojectedStreams({
    projected: () => shown,
    waitForEvents: async (events) => {
      asked.push(events);
      return events.every(({ position }) => shown !== undefined && position <= shown);
    },
  });
  streams.begin(undefined);
  return { streams, asked, show: (position: string) => void (shown = position) };
}
const at = (stream: string, position: string) => ({ stream, position });

describe('tracking unprojected streams', () => {
  it('keeps streams of received events until they are projected', () => {
    const { streams, show } = scene();
    streams.add([at('job-1', '01'), at('job-2', '02')]);
    expect(['job-1', 'job-2', 'job-3'].map((stream) => streams.has(stream))).toEqual([true, true, false]);
    show('01');
    expect(['job-1', 'job-2'].map((stream) => streams.has(stream))).toEqual([false, true]);
    show('02');
    expect(streams.has('job-2')).toBe(false);
  });

  it('uses the last event of a stream in any order of events', () => {
    const { streams, show } = scene();
    streams.add([at('job-1', '03')]);
    streams.add([at('job-1', '01')]);
    show('02');
    expect(streams.has('job-1')).toBe(true);
  });

  it('treats every stream as unprojected until the projection reaches its start position', async () => {
    const { streams, show } = scene();
    show('01');
    streams.begin('02');
    expect([streams.has('job-1'), streams.isBehind, await streams.untilShown(1)]).toEqual([
      true,
      true,
      false,
    ]);
    show('02');
    expect([streams.has('job-1'), streams.isBehind, await streams.untilShown(1)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('waits for the views to show what is known', async () => {
    const { streams, asked, show } = scene();
    expect(streams.isBehind).toBe(false);
    streams.add([at('job-1', '01'), at('job-2', '02')]);
    show('01');
    expect([streams.isBehind, await streams.untilShown(1)]).toEqual([true, false]);
    expect(asked).toEqual([[at('job-2', '02')]]);
    show('02');
    expect([streams.isBehind, await streams.untilShown(1)]).toEqual([false, true]);
  });

  it('drops the positions of a rolled-back log', () => {
    const { streams, show } = scene();
    streams.add([at('job-1', '09')]);
    show('02');
    streams.begin('02');
    expect(streams.has('job-1')).toBe(false);
    streams.add([at('job-1', '03')]);
    expect(streams.has('job-1')).toBe(true);
  });

  it('treats every stream as unprojected until the views cover the gap between two subscriptions', () => {
    const { streams, show } = scene();
    show('01');
    streams.begin('05');
    expect(streams.has('job-1')).toBe(true);
    show('05');
    expect(streams.has('job-1')).toBe(false);
  });

  it('keeps a limited number of the newest', () => {
    const { streams } = scene();
    streams.add(Array.from({ length: 50_001 }, (_, n) => at(`job-${n}`, String(n).padStart(6, '0'))));
    expect(['job-0', 'job-1', 'job-50000'].map((stream) => streams.has(stream))).toEqual([false, true, true]);
  });
});
