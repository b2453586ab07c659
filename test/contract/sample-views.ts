import type { AnyProjection, Projection } from '../../src/kernel/projection.js';
import type { RecordedEvent } from '../../src/kernel/recorded-event.js';

/** Small views. Imports types only, so that a writer thread can load them alone. */

export type SampleEvent =
  | {
      type: 'NoteWritten';
      data: { account: string; folder: string | null; urgent: boolean; text: string };
    }
  | { type: 'NoteMoved'; data: { folder: string | null } }
  | { type: 'NoteClosed'; data: Record<string, never> }
  | { type: 'NoteBurnt'; data: Record<string, never> }
  | { type: 'PagesAdded'; data: { pages: string[] } }
  | { type: 'TimerArmed'; data: { subject: string; due: string } }
  | { type: 'TimerDisarmed'; data: { subject: string } }
  | { type: 'Unhandled'; data: { text: string } }
  | { type: 'Poisoned'; data: { text: string } };

export interface Note {
  id: string;
  account: string;
  folder: string | null;
  urgent: boolean;
  status: 'open' | 'closed';
  text: string;
  changes: number;
}

const noteId = (event: RecordedEvent) => event.stream.slice(event.stream.indexOf('-') + 1);

export const notes: Projection<Note, SampleEvent> = {
  view: {
    name: 'notes',
    version: 1,
    indexes: [
      { fields: ['account'] },
      { fields: ['account', 'status'] },
      { fields: ['account', 'folder'] },
      { fields: ['account', 'text'] },
      { fields: ['urgent'], onlyWhen: { field: 'status', in: ['open'] } },
      {
        fields: ['account', 'urgent'],
        onlyWhen: { field: 'status', in: ['open', 'closed'] },
        inLogOrder: true,
      },
    ],
    countBy: [['account'], ['account', 'status']],
  },
  handles: ['NoteWritten', 'NoteMoved', 'NoteClosed', 'NoteBurnt', 'Poisoned'],
  keysOf: (event) => [noteId(event)],
  apply(note, event, id) {
    if (event.type === 'NoteWritten') return { id, ...event.data, status: 'open', changes: 0 };
    if (event.type === 'Poisoned') throw new Error('this event is poison');
    if (!note || event.type === 'NoteBurnt') return undefined;
    const changed = { ...note, changes: note.changes + 1 };
    if (event.type === 'NoteMoved') return { ...changed, folder: event.data.folder };
    return { ...changed, status: 'closed' };
  },
};

export const pages: Projection<{ id: string; note: string }, SampleEvent> = {
  view: { name: 'note-pages', version: 1, indexes: [{ fields: ['note'] }] },
  handles: ['PagesAdded'],
  keysOf: (event) => (event.type === 'PagesAdded' ? event.data.pages : []),
  apply: (page, event, id) => page ?? { id, note: noteId(event) },
};

export interface Reminder {
  id: string;
  due_at: string;
  sequence: number;
}

export const timers: Projection<Reminder, SampleEvent> = {
  // Like `timersView`, which this module cannot import because it must load alone.
  view: { name: 'timers', version: 3, indexes: [{ fields: ['due_at'] }], volatileFields: ['due_at'] },
  handles: ['TimerArmed', 'TimerDisarmed'],
  keysOf: (event) => ('subject' in event.data ? [event.data.subject] : []),
  apply(_timer, event, id) {
    if (event.type !== 'TimerArmed') return undefined;
    return { id, due_at: event.data.due, sequence: event.revision };
  },
};

export const projections: readonly AnyProjection[] = [notes, pages, timers];
