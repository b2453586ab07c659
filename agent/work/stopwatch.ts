/**
 * Milliseconds since the call, by the wall clock or the monotonic one, whichever says more: the monotonic clock stands
 * still while a computer sleeps, the wall clock can be set back.
 */
export function stopwatch(): () => number {
  const wall = Date.now();
  const monotonic = performance.now();
  return () => Math.max(Date.now() - wall, performance.now() - monotonic);
}
