import type { Position, RecordedEvent } from '../kernel/recorded-event.js';
import type { LogListener } from './ports/event-store.port.js';

export class LogListeners {
  private readonly all = new Set<LogListener>();

  /** @param onError receives errors of listeners; the others are still called */
  constructor(private readonly onError: (error: unknown) => void) {}

  add(listener: LogListener): () => void {
    this.all.add(listener);
    return () => this.all.delete(listener);
  }

  appended(events: readonly RecordedEvent[], after?: Position): void {
    this.each(({ types, appended }) => {
      if (!appended) return;
      if (!types) return appended(events, after);
      const ofTypes = events.filter(({ type }) => types.has(type));
      if (ofTypes.length > 0) appended(ofTypes);
    });
  }

  remoteEvents(events: readonly RecordedEvent[]): void {
    this.each((listener) => listener.remoteEvents?.(events));
  }

  subscribed(head: Position | undefined): void {
    this.each((listener) => listener.subscribed?.(head));
  }

  rolledBack(): void {
    this.each((listener) => listener.rolledBack?.());
  }

  clear(): void {
    this.all.clear();
  }

  private each(call: (listener: LogListener) => void): void {
    for (const listener of this.all) {
      try {
        call(listener);
      } catch (error) {
        this.onError(error);
      }
    }
  }
}
