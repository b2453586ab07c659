import fc from 'fast-check';
import {
  notes,
  timers,
  type Note,
  type Reminder,
  type SampleEvent,
} from '../../../test/contract/sample-views.js';
import { metadata } from '../../../test/kit/recorded.js';
import { TestViews } from '../../../test/kit/views.js';
import { plus } from '../../kernel/time.js';
import type { ReadDocument } from './document-form.js';
import { matches } from '../projections/view-index.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';
import type { ViewQuery, Where } from '../ports/view-store.port.js';

type Written = readonly (readonly [note: number, SampleEvent, ms?: number])[][];

const MAX_UNINDEXED = 4;

const account = fc.constantFrom('a', 'b');
const folder = fc.constantFrom('in', 'out', null);
const subject = fc.constantFrom('x', 'y', 'z');
const due = fc.integer({ min: 10, max: 59 }).map((second) => `2026-11-21T12:00:${second}.000Z`);

const event: fc.Arbitrary<SampleEvent> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ account, folder, urgent: fc.boolean() }).map((data) => ({
      type: 'NoteWritten' as const,
      data: { ...data, text: 'one' },
    })),
  },
  folder.map((to) => ({ type: 'NoteMoved' as const, data: { folder: to } })),
  fc.constant({ type: 'NoteClosed' as const, data: {} }),
  fc.constant({ type: 'NoteBurnt' as const, data: {} }),
  fc.record({ subject, due }).map((data) => ({ type: 'TimerArmed' as const, data })),
  subject.map((id) => ({ type: 'TimerDisarmed' as const, data: { subject: id } })),
);

/** Batches of events of notes 0 to 11, with their times; one batch is one commit. */
const batches = fc.array(
  fc.array(fc.tuple(fc.integer({ min: 0, max: 11 }), event, fc.nat(3)), { minLength: 1, maxLength: 8 }),
  { maxLength: 12 },
);

/** What happens before a commit. */
const befores = fc.infiniteStream(fc.constantFrom('nothing', 'nothing', 'a failed commit', 'a restart'));

function projected(written: Written, happens: Iterator<string>): TestViews {
  const views = new TestViews([notes, timers], MAX_UNINDEXED);
  for (const batch of recordedIn(written)) {
    const before = happens.next().value as string;
    if (before === 'a failed commit') views.projectInVain(batch);
    if (before === 'a restart') views.restart();
    views.project(batch);
  }
  return views;
}

const wheres: readonly Where[] = [
  {},
  { account: 'a' },
  { account: ['a', 'b'] },
  { account: 'b', status: 'closed' },
  { account: ['a', 'b'], status: ['open', 'closed'] },
  { account: 'a', folder: ['in', null] },
  { urgent: true, status: 'open' },
];

/** Gives each event its place in the log and in its stream; all timers are of one stream. */
function recordedIn(written: Written): RecordedEvent[][] {
  const revisions = new Map<string, number>();
  let position = 0;
  const recorded = (note: number, { type, data }: SampleEvent, ms = 0): RecordedEvent => {
    const stream = type.startsWith('Timer') ? 'timers-all' : `note-${note}`;
    const revision = (revisions.get(stream) ?? -1) + 1;
    revisions.set(stream, revision);
    const place = String(++position).padStart(20, '0');
    const at = plus(metadata.at, ms);
    return { id: place, stream, revision, position: place, type, data, metadata: { ...metadata, at } };
  };
  return written.map((batch) => batch.map((one) => recorded(...one)));
}

const inOrderOf = (rows: readonly ReadDocument[]) =>
  [...rows].sort((a, b) => (a.creationPosition < b.creationPosition ? -1 : 1));

const page = fc.record({ offset: fc.nat(5), limit: fc.integer({ min: 1, max: 6 }) });

describe('unindexed rows', () => {
  it('are found, counted and ordered like indexed ones', async () => {
    await fc.assert(
      fc.asyncProperty(batches, befores, page, async (written, happens, { offset, limit }) => {
        const views = projected(written, happens);
        for (const where of wheres) {
          const all = inOrderOf(views.rows(notes.view)).filter(({ document }) => matches(document, where));
          expect(await views.store.count(notes.view, where)).toBe(all.length);
          const after = all[1]?.creationPosition;
          const queries: ViewQuery[] = [
            { where, order: 'oldest', limit, offset },
            { where, order: 'newest', limit, offset },
            ...(after === undefined ? [] : [{ where, order: 'oldest' as const, limit, after }]),
          ];
          for (const query of queries) {
            const from = query.after === undefined ? offset : 2;
            const inOrder = query.order === 'oldest' ? all : all.toReversed();
            const { documents, positions } = await views.store.find<Note>(notes.view, query);
            const expected = inOrder.slice(from, from + limit);
            expect(documents).toEqual(expected.map(({ document }) => document));
            expect(positions).toEqual(expected.map(({ creationPosition }) => creationPosition));
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  it('are found in ranges like indexed ones', async () => {
    await fc.assert(
      fc.asyncProperty(batches, befores, due, async (written, happens, upTo) => {
        const views = projected(written, happens);
        const found = await views.store.range<Reminder>(timers.view, { by: 'due_at', upTo, limit: 2 });
        const all = inOrderOf(views.rows(timers.view)).map(({ document }) => document as Reminder);
        const dueInOrder = all
          .filter(({ due_at }) => due_at <= upTo)
          .sort((a, b) => (a.due_at < b.due_at ? -1 : a.due_at > b.due_at ? 1 : 0));
        expect(found).toEqual(dueInOrder.slice(0, 2));
      }),
      { numRuns: 100 },
    );
  });

  it('never exceed the limit of the table', () => {
    const views = new TestViews([notes], MAX_UNINDEXED);
    const written = {
      type: 'NoteWritten',
      data: { account: 'a', folder: null, urgent: false, text: '' },
    } as const;
    for (const batch of recordedIn(Array.from({ length: 5 }, (_, n) => [[n, written]]))) views.project(batch);
    expect(views.unindexedOf(notes.view)).toEqual(['3', '4']);
    views.restart();
    expect(views.unindexedOf(notes.view)).toEqual([]);
  });
});
