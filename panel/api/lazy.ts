import { lazy as lazyOf, type ComponentType, type LazyExoticComponent } from 'react';
import { connection } from './connection.js';

/** The service answers but a part of the panel cannot be loaded: it was replaced by that of another version. */
export class PartMissing extends Error {}

/** A page that is loaded when it is first shown; without the service it waits for its return. @throws PartMissing */
export function lazy<P extends object>(
  load: () => Promise<{ readonly default: ComponentType<P> }>,
): LazyExoticComponent<ComponentType<P>> {
  const patiently = async (isLast = false): ReturnType<typeof load> => {
    try {
      return await load();
    } catch (error) {
      const wasLost = await connection.back();
      // Without a loss it is tried once more: the service may have come back in between.
      if (!wasLost && isLast) throw new PartMissing('A part of the panel is missing.', { cause: error });
      return patiently(!wasLost);
    }
  };
  return lazyOf(() => patiently());
}
