import fc from 'fast-check';
import type { Append, NewEvent } from '../../src/event-sourcing/ports/event-store.port.js';
import { metadata } from '../kit/recorded.js';
import type { SampleEvent } from './sample-views.js';

/** Few streams, revisions and ids, so that conflicts and repeats are as frequent as successes. */
const sampleEvent: fc.Arbitrary<SampleEvent> = fc.oneof(
  fc.record({
    type: fc.constant('NoteWritten' as const),
    data: fc.record({
      account: fc.constantFrom('a', 'b'),
      folder: fc.constantFrom('in', 'out', null),
      urgent: fc.boolean(),
      text: fc.string({ maxLength: 5 }),
    }),
  }),
  fc.record({
    type: fc.constant('NoteMoved' as const),
    data: fc.record({ folder: fc.constantFrom('in', 'out', null) }),
  }),
  fc.constantFrom<SampleEvent>({ type: 'NoteClosed', data: {} }, { type: 'NoteBurnt', data: {} }),
);

export const append: fc.Arbitrary<Append> = fc
  .record({
    stream: fc.constantFrom('note-1', 'note-2', 'note-3'),
    expected: fc.oneof(fc.constant('no_stream' as const), fc.nat({ max: 5 })),
    events: fc.array(fc.tuple(sampleEvent, fc.nat({ max: 3 })), { minLength: 1, maxLength: 3 }),
  })
  .map(({ stream, expected, events }) => ({
    stream,
    expected,
    events: events.map(([{ type, data }, id]): NewEvent => ({ id: idOf(stream, id), type, data, metadata })),
  }));

/** A UUID, which some stores require. */
function idOf(stream: string, id: number): string {
  return `00000000-0000-4000-8000-00000000${stream.slice(-1)}${String(id).padStart(3, '0')}`;
}
