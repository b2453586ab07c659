import { v7 } from 'uuid';
import type { Append, NewEvent } from '../../src/event-sourcing/ports/event-store.port.js';
import { metadata } from '../kit/recorded.js';
import type { SampleEvent } from './sample-views.js';

export function newEvent(event: SampleEvent, id = v7()): NewEvent {
  return { id, type: event.type, data: event.data, metadata };
}

export const written = (text = 'hello', account = 'a', folder: string | null = 'in', urgent = false) =>
  newEvent({ type: 'NoteWritten', data: { account, folder, urgent, text } });
export const moved = (folder: string | null) => newEvent({ type: 'NoteMoved', data: { folder } });
export const closed = () => newEvent({ type: 'NoteClosed', data: {} });
export const burnt = () => newEvent({ type: 'NoteBurnt', data: {} });
export const armed = (subject: string, due: string) =>
  newEvent({ type: 'TimerArmed', data: { subject, due } });
export const disarmed = (subject: string) => newEvent({ type: 'TimerDisarmed', data: { subject } });

/** The first append to a stream. */
export const begin = (stream: string, ...events: NewEvent[]): Append => ({
  stream,
  expected: 'no_stream',
  events,
});

export const goOn = (stream: string, expected: number, ...events: NewEvent[]): Append => ({
  stream,
  expected,
  events,
});
