import Database from 'better-sqlite3';
import { story } from '../../../bench/library/job-story.js';
import { projectionsFor } from '../../app/projections.js';
import type { Append } from '../ports/event-store.port.js';
import { prepareForWriting } from './connection.js';
import { wireAppendOf } from './sqlite-event-store.js';
import { Writer } from './writer.js';
import type { WireAppend } from './writer-messages.js';

const cast = {
  accountId: '01a208dc-c239-741b-82c3-6ef9692ab525',
  computerId: '01a208dc-c239-741b-82c3-7173ef558875',
  printerIds: ['01a208dc-c239-741b-82c3-770a0793f782'],
};

const wire = (append: Append): WireAppend => wireAppendOf(append);

/** The requests of one life, as the service sends them: claim and job together, then one append a step. */
function requestsOf(n: number): WireAppend[][] {
  const [claim, job] = story(cast, n) as [Append, Append];
  const [created, queued, ...steps] = job.events;
  const first = wire({ ...job, events: [created!, queued!] });
  return [
    [wire(claim), first],
    ...steps.map((event, step) => [wire({ ...job, expected: step + 1, events: [event] })]),
  ];
}

/** After so many further jobs the same number of rows is indexed, so each cost of a life is in the sum once. */
const LIVES = 129;

/**
 * What further lives of jobs cost the writer. Exact, so that a change that costs more has to say so here; a change
 * that costs less lowers the numbers.
 */
describe("the writing budget of a job's life", () => {
  const executed: string[] = [];
  const db = prepareForWriting(
    new Database(':memory:', {
      verbose: (sql) => void executed.push(String(sql).trim().split(/[ (]/, 1)[0]!),
    }),
  );
  const writer = new Writer(db, projectionsFor({ presenceTimeoutMs: 90_000 }));
  let job = 0;
  const liveOn = (count: number) => {
    for (let lived = 0; lived < count; lived++) {
      // Every tenth job of the story only waits.
      job += job % 10 === 9 ? 2 : 1;
      for (const appends of requestsOf(job))
        expect(writer.run([{ kind: 'append', appends }])[0]!.kind).toBe('appended');
    }
  };
  const rowsChanged = () => db.prepare('SELECT total_changes()').pluck().get() as number;
  const bytesStored = () => db.prepare('SELECT sum(payload) FROM dbstat').pluck().get() as number;

  it('limits statements, changed rows and stored bytes', () => {
    liveOn(3 * LIVES);
    const before = { rows: rowsChanged(), bytes: bytesStored() };
    executed.length = 0;
    liveOn(LIVES);
    const statements = Object.fromEntries(countsOf(executed));
    const rows = rowsChanged() - before.rows;
    // A byte more or less depends on the time of day.
    const bytesOfOne = Math.round((bytesStored() - before.bytes) / LIVES / 100) * 100;
    expect({ statements, rows, bytesOfOne }).toEqual({
      // Each life, and the indexing of one view, with its eight totals.
      statements: {
        BEGIN: 6 * LIVES,
        SELECT: 2 * LIVES,
        INSERT: 11 * LIVES + 8,
        UPDATE: 5 * LIVES + 1,
        COMMIT: 6 * LIVES,
      },
      rows: 17 * LIVES + 8,
      bytesOfOne: 5_400,
    });
  });
});

function countsOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
