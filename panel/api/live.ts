import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { addressOf } from './client.js';
import { connection } from './connection.js';
import type { Area } from './reads.js';

/** A list is read again at most so often, except for its first change. */
const LIST_PAUSE_MS = 2_000;
/** Without a feed the pages ask so often. */
const ASK_MS = 15_000;
const NOT_LIVE_AFTER_MS = 20_000;
const RECONNECT_MS = 5_000;

const AREAS: readonly Area[] = ['jobs', 'computers', 'printers', 'webhooks', 'deliveries'];

/** Any change makes them old. */
const MADE_OF_OTHERS: readonly Area[] = ['overview', 'queue'];

/** Makes areas old, each at once for its first change and then at most every two seconds. */
class Pacer {
  private readonly lastAt = new Map<Area, number>();
  private readonly waiting = new Map<Area, ReturnType<typeof setTimeout>>();

  constructor(private readonly client: QueryClient) {}

  changed(area: Area): void {
    if (this.waiting.has(area)) return;
    const rest = (this.lastAt.get(area) ?? -Infinity) + LIST_PAUSE_MS - performance.now();
    if (rest <= 0) return this.refresh(area);
    this.waiting.set(
      area,
      setTimeout(() => {
        this.waiting.delete(area);
        this.refresh(area);
      }, rest),
    );
  }

  close(): void {
    for (const timer of this.waiting.values()) clearTimeout(timer);
    this.waiting.clear();
  }

  private refresh(area: Area): void {
    this.lastAt.set(area, performance.now());
    void this.client.invalidateQueries({ queryKey: [area] });
    if (!MADE_OF_OTHERS.includes(area)) MADE_OF_OTHERS.forEach((made) => this.changed(made));
  }
}

/** Follows the live feed while the tab is visible; without it the pages ask every 15 seconds. */
export function useLiveFeed(): void {
  const client = useQueryClient();
  useEffect(() => follow(client), [client]);
}

function follow(client: QueryClient): () => void {
  const pacer = new Pacer(client);
  let source: EventSource | undefined;
  /** Since when no feed is open. */
  let silentSince: number | undefined;
  let reconnect: ReturnType<typeof setTimeout> | undefined;
  const readAll = () => AREAS.forEach((area) => pacer.changed(area));
  const heard = () => {
    silentSince = undefined;
    connection.feed(undefined, true);
  };
  const failed = () => {
    silentSince ??= Date.now();
    connection.feed(connection.current().notLiveSince, false);
    connection.doubt();
    // The browser tries again by itself, except after an answer that is no feed.
    if (source?.readyState !== EventSource.CLOSED) return;
    // Perhaps the session has ended: what the page asks now is refused then, and the sign-in form appears.
    readAll();
    clearTimeout(reconnect);
    reconnect = setTimeout(open, RECONNECT_MS);
  };
  const close = () => {
    clearTimeout(reconnect);
    source?.close();
    source = undefined;
  };
  const open = () => {
    close();
    silentSince ??= Date.now();
    source = new EventSource(addressOf('/panel/feed'));
    source.addEventListener('open', heard);
    source.addEventListener('resync', () => (heard(), readAll()));
    source.addEventListener('changed', ({ data }: MessageEvent<string>) => {
      heard();
      for (const [area, ids] of Object.entries(JSON.parse(data) as Record<Area, string[]>))
        if (ids.length > 0) pacer.changed(area as Area);
    });
    source.addEventListener('error', failed);
  };
  const turn = () => {
    close();
    silentSince = undefined;
    if (document.visibilityState === 'hidden') return;
    readAll();
    open();
  };
  const ask = setInterval(() => {
    if (document.visibilityState === 'hidden' || source?.readyState === EventSource.OPEN) return;
    readAll();
    if (silentSince !== undefined && Date.now() - silentSince > NOT_LIVE_AFTER_MS)
      connection.feed(silentSince, false);
  }, ASK_MS);
  document.addEventListener('visibilitychange', turn);
  const isBack = connection.whenBack(turn);
  if (document.visibilityState !== 'hidden') open();
  return () => {
    clearInterval(ask);
    isBack();
    document.removeEventListener('visibilitychange', turn);
    close();
    connection.feed(undefined, false);
    pacer.close();
  };
}
