/**
 * Milliseconds since the call: the maximum of wall clock and monotonic clock, because the monotonic clock stops while a
 * computer sleeps and the wall clock can be set back.
 */
export function stopwatch(): () => number {
  const wall = Date.now();
  const monotonic = performance.now();
  return () => Math.max(Date.now() - wall, performance.now() - monotonic);
}
