import { useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { connection } from './connection.js';

/** The service answers but a part of the panel cannot be loaded: it was replaced by that of another version. */
export class PartMissing extends Error {}

interface State<P> {
  readonly Part?: ComponentType<P>;
  readonly error?: unknown;
}

/**
 * A part that is loaded when it is first shown, and until then `waiting`; without the service it waits for its return.
 * React's own `lazy` shows nothing for 300 ms after a fallback, so each page would read its data that much later.
 * @throws PartMissing
 */
export function lazy<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: ReactNode = null,
): ComponentType<P> {
  let loaded: State<P> = {};
  return function Lazy(props: P) {
    const [{ Part, error }, setState] = useState(loaded);
    useEffect(() => {
      if (!loaded.Part)
        void patiently(load).then(
          (part) => setState((loaded = { Part: part })),
          (reason: unknown) => setState({ error: reason }),
        );
    }, []);
    if (error !== undefined) throw error;
    return Part ? <Part {...props} /> : waiting;
  };
}

async function patiently<P>(
  load: () => Promise<ComponentType<P>>,
  isLast = false,
): Promise<ComponentType<P>> {
  try {
    return await load();
  } catch (error) {
    const wasLost = await connection.back();
    // Without a loss it is tried once more: the service may have come back in between.
    if (!wasLost && isLast) throw new PartMissing('A part of the panel is missing.', { cause: error });
    return patiently(load, !wasLost);
  }
}
