import { useSyncExternalStore } from 'react';

const TICK_MS = 10_000;
const followers = new Set<() => void>();
let ticks = 0;
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  ticks++;
  for (const follower of followers) follower();
}

function subscribe(follower: () => void): () => void {
  followers.add(follower);
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    followers.delete(follower);
    if (followers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Draws a component again every ten seconds, all of them at once. */
export const useTicks = (): void => void useSyncExternalStore(subscribe, () => ticks);
