import { lazy as lazyOf, type ComponentType, type LazyExoticComponent } from 'react';
import { connection } from './connection.js';

/** A page that is loaded when it is first shown; without the service it waits for its return. */
export function lazy<P extends object>(
  load: () => Promise<{ readonly default: ComponentType<P> }>,
): LazyExoticComponent<ComponentType<P>> {
  const patiently = (): ReturnType<typeof load> => load().catch(() => connection.back().then(patiently));
  return lazyOf(patiently);
}
