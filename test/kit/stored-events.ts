/** A stored event as the operator surface shows it. */
export interface StoredEvent {
  readonly event_id: string;
  readonly type: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: string;
  readonly recorded_at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Events of each stream, in order. */
export function byStream(events: readonly StoredEvent[]): ReadonlyMap<string, readonly StoredEvent[]> {
  const streams = new Map<string, StoredEvent[]>();
  for (const event of events) {
    const story = streams.get(event.stream);
    if (story) story.push(event);
    else streams.set(event.stream, [event]);
  }
  return streams;
}
