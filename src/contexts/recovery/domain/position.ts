import type { RecordedEvent } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';

export interface SeenEvent {
  readonly at: Instant;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
}

export interface Position {
  readonly event: SeenEvent;
  readonly name: string;
  /** 22 characters of base64url. */
  readonly seal: string;
}

const REVISION_DIGITS = 10;
const AT = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;
const STREAM = String.raw`[A-Za-z]+-[0-9a-f-]{36}`;
const FORM = new RegExp(`^((${AT})/(${STREAM})/(\\d{10})/([0-9a-f-]{36}))/([\\w-]{22})$`);

/** `<at>/<stream>/<revision, 10 digits>/<id>`: sorts as text by time. */
export function nameOf({
  metadata,
  stream,
  revision,
  id,
}: Pick<RecordedEvent, 'metadata' | 'stream' | 'revision' | 'id'>): string {
  return [metadata.at, stream, String(revision).padStart(REVISION_DIGITS, '0'), id].join('/');
}

/** Undefined unless `<name>/<seal>` of at most 150 characters. */
export function positionOf(text: string): Position | undefined {
  const [, name, at, stream, revision, id, seal] = FORM.exec(text) ?? [];
  if (!name || !at || !stream || !id || !seal) return undefined;
  return { event: { at, stream, revision: Number(revision), id }, name, seal };
}
