import type { WebhookEventType } from '../../sdk/src/generated/integration.js';

/** What a webhook can be told; the test is sent by hand alone. */
export type EventType = Exclude<WebhookEventType['event_type'], 'webhook.test'>;

/** What each event says. */
export const EVENT_SENTENCES: Readonly<Record<EventType, string>> = {
  'job.spooler_completed': 'The spooler of the computer has finished it.',
  'job.failed': 'It certainly did not print.',
  'job.manual_review': 'It may have printed: a person has to decide.',
  'job.cancelled': 'Somebody cancelled it before it was printed.',
  'job.expired': 'It waited longer than it may.',
  'job.created': 'The service has stored it.',
  'job.queued': 'It waits for its computer, at first or again.',
  'job.leased': 'The computer has taken it.',
  'job.accepted_by_agent': 'The Agent has the document and has checked it.',
  'job.sent_to_spooler': 'The spooler has it: from here on it may be printed.',
  'computer.registered': 'A new computer is connected.',
  'computer.pending': 'It is enabled, and has not called yet.',
  'computer.online': 'It calls again.',
  'computer.offline': 'It has not called for a while.',
  'computer.disabled': 'Somebody disabled it.',
  'computer.revoked': 'Its access was revoked for good.',
  'printer.detected': 'A computer has a new printer.',
  'printer.online': 'It is ready.',
  'printer.offline': 'It is off, or its computer is.',
  'printer.removed': 'Its computer has it no longer.',
  'printer.disabled': 'Somebody disabled it.',
  'printer.updated': 'Its name, settings or abilities changed.',
};

const ALL = Object.keys(EVENT_SENTENCES) as readonly EventType[];
const ENDS: readonly EventType[] = [
  ...(['job.spooler_completed', 'job.failed', 'job.manual_review', 'job.cancelled'] as const),
  'job.expired',
];
const about = (subject: string) => ALL.filter((type) => type.startsWith(`${subject}.`));

/** The events in the groups of the form. */
export const EVENT_GROUPS: readonly (readonly [title: string, types: readonly EventType[]])[] = [
  ['How a job ends', ENDS],
  ['Each step of a job', about('job').filter((type) => !ENDS.includes(type))],
  ['Computers', about('computer')],
  ['Printers', about('printer')],
];

/** Sets of events for a new webhook. */
export const EVENT_PRESETS: Readonly<Record<string, readonly EventType[]>> = {
  'How jobs end': ENDS,
  'Every step of jobs': about('job'),
  'Computers and printers': [...about('computer'), ...about('printer')],
};
