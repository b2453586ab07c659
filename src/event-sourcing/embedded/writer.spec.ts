import Database from 'better-sqlite3';
import { v7 } from 'uuid';
import { begin, written } from '../../../test/contract/sample-appends.js';
import { notes, projections } from '../../../test/contract/sample-views.js';
import { openTestStores } from '../../../test/kit/stores.js';
import { prepareForWriting } from './connection.js';
import { Writer } from './writer.js';

/** Of a rebuild, which commits each. */
const MORE_THAN_A_STEP = 2_100;

describe('rebuilding a view between commits', () => {
  it('leaves the view writable after each step', () => {
    const writer = new Writer(prepareForWriting(new Database(':memory:')), projections);
    const { name } = notes.view;
    const change = { when: {}, set: {} };
    const write = () => writer.run([{ kind: 'set_volatile', view: name, change: { ...change, id: v7() } }]);
    const answers = [write()];
    for (const _ of writer.rebuild([name])) answers.push(write());
    answers.push(write());

    expect(answers.length).toBeGreaterThan(2);
    expect(answers.flat()).toEqual(answers.map(() => ({ kind: 'done', changes: 1 })));
  });
});

describe('rebuilding several views at once', () => {
  it('builds anew each view but the one that cannot fold an event', async () => {
    let isBroken = false;
    const broken: typeof notes = {
      ...notes,
      view: { ...notes.view, name: 'broken' },
      apply(note, event, id) {
        if (isBroken && event.stream === 'note-last') throw new Error('no');
        return notes.apply(note, event, id);
      },
    };
    const { events, maintenance, views, close } = openTestStores({ projections: [notes, broken] });
    const streams = [...Array.from({ length: MORE_THAN_A_STEP }, (_, n) => `note-${n}`), 'note-last'];
    await Promise.all(streams.map((stream) => events.append(begin(stream, written()))));
    isBroken = true;
    const rebuilt = ['notes', 'broken'].map((name) => maintenance.rebuild(name));

    expect((await Promise.allSettled(rebuilt)).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
    ]);
    expect(await views.count(notes.view, { account: 'a' })).toBe(streams.length);
    await close();
  });
});
