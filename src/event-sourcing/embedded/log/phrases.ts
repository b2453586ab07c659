/**
 * Parts of the texts of events, by the code that stands for them: a control character, which no JSON text contains, or
 * two. Rows keep codes for ever: never change or move an entry, only append to `LONG`.
 */
const SHORT = [
  '","',
  '.000Z"}',
  '{"leaseId":"',
  'fence":1,"',
  'computerId":"',
  'sessionId":"',
  'reportId":"',
  'silentAt":"',
  'expiresAt":"',
  'startedAt":"',
  'JobCreated',
  'JobQueued',
  'JobLeased',
  'JobAccepted',
  'HandoffStarted',
  'JobSpooled',
  'JobCompleted',
  'Claimed',
  'ContentPurged',
  'DeliveryCreated',
  'DeliveryAttemptStarted',
  'DeliverySucceeded',
  '{"attempt":1,"',
  'webhookId":"',
];
const LONG = [
  'leaseUntil":"',
  'graceUntil":"',
  'graceAtMost":"',
  'spooledAt":"',
  'completedAt":"',
  'contentUntil":"',
  'spoolerProvider":"',
  'spoolerJobId":"',
  '{"kind":"job-create","subject":"',
  'fingerprint":"',
  '{"jobId":"',
  'accountId":"',
  'printerId":"',
  'printerCode":"PR-',
  'printerName":"',
  'computerName":"',
  'externalId":"',
  'title":"',
  'contentType":"',
  'contentHash":"',
  'contentSizeBytes":',
  ',"copies":1,"maxAutoRetries":5,"source":"',
  'integration","',
  'partner","',
  '{"deliveryId":"',
  'eventId":"',
  'eventType":"',
  'source":{"stream":"job-',
  '","revision":',
  'maxAttempts":',
  'trigger":"schedule"}',
  'responseStatus":200,"',
  'durationMs":',
  'responseBody":"',
  'JobFailed',
  'JobCancelled',
  'JobExpired',
  'LeaseLapsed',
  'LeaseReleased',
  'RetryScheduled',
  'JobRequeued',
  'ManualReviewOpened',
  'DeliveryAttemptFailed',
  'DeliveryBecameDue',
  'DeliveryRemoved',
  'fence":',
  'failureCode":"',
  'failureClass":"',
];

/** All phrases in the order of their codes. */
export const PHRASES: readonly string[] = [...SHORT, ...LONG];

/** Control characters by what they say; a JSON text contains none but the white space between its values. */
const WHITE_SPACE = [9, 10, 13];
const LONG_FOLLOWS = String.fromCharCode(30);
const AS_IT_IS = String.fromCharCode(31);
const FIRST_OF_LONG = 48;

const controls = Array.from({ length: 31 }, (_, n) => n + 1).filter((code) => !WHITE_SPACE.includes(code));
const codes = new Map([
  ...SHORT.map((phrase, n) => [phrase, String.fromCharCode(controls[n]!)] as const),
  ...LONG.map((phrase, n) => [phrase, LONG_FOLLOWS + String.fromCharCode(FIRST_OF_LONG + n)] as const),
]);
const phrases = new Map([...codes].map(([phrase, code]) => [code, phrase]));

const escaped = (phrase: string) => phrase.replaceAll(/[{}.]/g, String.raw`\$&`);
const longestFirst = [...codes.keys()].sort((a, b) => b.length - a.length);
const ANY_PHRASE = new RegExp(longestFirst.map(escaped).join('|'), 'g');
const ANY_CONTROL = new RegExp(`[${String.fromCharCode(...controls)}]`);
const ANY_CODE = new RegExp(`${LONG_FOLLOWS}.|${ANY_CONTROL.source}`, 'g');

/** A text of an event with codes in the place of phrases: about a third shorter. `phrasedFrom` gives it back. */
export function phrased(text: string): string {
  if (ANY_CONTROL.test(text)) return AS_IT_IS + text;
  return text.replace(ANY_PHRASE, (phrase) => codes.get(phrase)!);
}

/** @throws TypeError for a code that no release has written */
export function phrasedFrom(column: string): string {
  if (column.startsWith(AS_IT_IS)) return column.slice(1);
  return column.replace(ANY_CODE, (code) => {
    const phrase = phrases.get(code);
    if (phrase === undefined) throw new TypeError('an unknown code');
    return phrase;
  });
}
