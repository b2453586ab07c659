import Database from 'better-sqlite3';
import { v7 } from 'uuid';
import { notes, projections } from '../../../test/contract/sample-views.js';
import { prepareForWriting } from './connection.js';
import { Writer } from './writer.js';

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
