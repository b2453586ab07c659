import type { Projection } from '../../kernel/projection.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';
import { NOON, recordedAt } from '../../../test/kit/recorded.js';
import { documentAt, documentsAt } from './replay.js';

interface Text {
  readonly text: string;
}

/** Appends the letter of each event to the documents it names. */
const texts: Projection<Text> = {
  view: { name: 'texts', version: 1, indexes: [] },
  handles: ['Written', 'Burnt'],
  keysOf: ({ data }) => (data as { keys: string[] }).keys,
  apply: (before, { type, data }) =>
    type === 'Burnt' ? undefined : { text: (before?.text ?? '') + (data as { letter: string }).letter },
};

const event = (revision: number, letter: string, keys = ['x'], type = 'Written'): RecordedEvent =>
  recordedAt(NOON, 'text-1', revision, { type, data: { keys, letter } });

describe('folding one document from its stream', () => {
  it('folds the events of its key alone', () => {
    const events = [event(0, 'a'), event(1, 'b', ['y']), event(2, 'c', ['y', 'x'])];
    expect(documentAt(texts, events, 'x')?.document).toEqual({ text: 'ac' });
  });

  it('continues from a known document and skips folded events', () => {
    const known = documentAt(texts, [event(0, 'a'), event(1, 'b')], 'x');
    expect(documentAt(texts, [event(1, 'b'), event(2, 'c')], 'x', known)?.document).toEqual({ text: 'abc' });
    expect(documentAt(texts, [event(2, 'c', ['y'])], 'x', known)).toBe(known);
  });

  it('folds all documents in one pass', () => {
    const events = [event(0, 'a'), event(1, 'b', ['y', 'z']), event(2, 'c', ['y', 'x'])];
    const gone = event(3, '', ['z'], 'Burnt');
    expect(documentsAt(texts, [...events, gone]).map(({ document }) => document)).toEqual([
      { text: 'ac' },
      { text: 'bc' },
    ]);
  });

  it('finds no document after its end', () => {
    expect(documentAt(texts, [event(0, 'a'), event(1, '', ['x'], 'Burnt')], 'x')).toBeUndefined();
    const known = documentAt(texts, [event(0, 'a')], 'x');
    expect(documentAt(texts, [event(1, '', ['x'], 'Burnt')], 'x', known)).toBeUndefined();
  });
});
