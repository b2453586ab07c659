import { integer, listOf, reportedText, text } from '../../http/validation/rules.js';

/**
 * Maximum size of a journal, of leases and of reports. The largest of them, a hundred reports with texts of escaped
 * characters, takes 320 KB.
 */
export const BATCH_BYTES = 1_048_576;

/** Of a failure or an error, made by the agent. */
export const errorCode = text({
  max: 64,
  pattern: /^[A-Z0-9_]{1,64}$/,
  message: 'must be 1 to 64 of A-Z, 0-9, _',
});
export const fence = integer(1, 1_000_000_000);
export const contentHash = text({ min: 64, max: 64, pattern: /^[0-9a-f]{64}$/ });

/** Opaque to agents, so the OpenAPI document does not describe the form of a position. */
export const position = text({ max: 200 });
export const POSITION = {
  description: 'Opaque; compares as text. Send the greatest one as `seen`',
} as const;
export const SEEN = {
  optional: true,
  description: 'The greatest `position` that the agent ever received',
} as const;

/** Returned to the agent unchanged and never displayed, so bidirectional controls are allowed. */
export const printerKey = { ...text({ max: 200 }), accepts: reportedText({ max: 200 }).accepts };
/** Names a list of added printers; equal for equal lists. */
export const addedVersion = text({ max: 64 });
export const ADDED = {
  optional: true,
  description:
    'Only with the feature printers/1. Fetch the added printers if it is not the version that you keep',
} as const;
export const busyPrinters = listOf(printerKey, { max: 500 });
export const BUSY = {
  optional: true,
  description: 'Keys of the printers that get no more leases now',
} as const;

export const SESSION = {
  optional: true,
  description: 'The session that asks; absent: the current one',
} as const;

export const ID = '01990000-0000-7000-8000-000000000001';
export const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
export const CREDENTIAL_ENDS = '2027-05-20T12:00:00.000Z';
export const SESSION_POSITION = `2026-11-21T12:00:00.000Z/computer-${ID}/0000000007/${ID}/AbCdEfGhIjKlMnOpQrSt-_`;
export const JOB_POSITION = `2026-11-21T12:00:00.000Z/job-${ID}/0000000004/${ID}/AbCdEfGhIjKlMnOpQrSt-_`;
